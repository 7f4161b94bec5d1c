import type { Shell } from './shells.ts'

/** The script of each shell. All run `formwire __complete`, which prints lines of `word<TAB>description`. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# formwire completion for bash. Add to ~/.bashrc:  source <(formwire completion bash)
_formwire() {
  local rest=$COMP_LINE word between line index=0
  local -a words=()
  COMPREPLY=()
  # bash splits words at = and :, so that --format=csv is three of them. Join those without a space in between.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    between=\${rest%%[![:blank:]]*}
    rest=\${rest#"$between"}
    rest=\${rest#"$word"}
    if [[ -n $COMP_LINE && -z $between && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  word=\${words[\${#words[@]}-1]}
  # What bash keeps of the word at the cursor.
  local kept=
  if [[ $word == *[=:]* ]]; then kept=\${word%"\${word##*[=:]}"}; fi
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    # bash inserts it as it is, so an id of the service could be a command.
    if [[ $line == *[!A-Za-z0-9_.:@=,/+-]* ]]; then continue; fi
    if [[ $line == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
    COMPREPLY+=("\${line#"$kept"}")
  done < <(formwire __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _formwire formwire
`,
  zsh: `#compdef formwire
# formwire completion for zsh. Add to ~/.zshrc:  source <(formwire completion zsh)
_formwire() {
  local -a candidates prefixes
  local line word
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    if [[ $word == *[=:] ]]; then
      prefixes+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    else
      candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(formwire __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#prefixes} )); then
    _describe -V formwire prefixes -S ''
  elif (( \${#candidates} )); then
    _describe -V formwire candidates
  else
    _files
  fi
}
compdef _formwire formwire
`,
  fish: `# formwire completion for fish. Save as ~/.config/fish/completions/formwire.fish
function __formwire_complete
    set -l words (commandline -opc) (commandline -ct)
    formwire __complete -- $words[2..-1] 2>/dev/null
end
complete -c formwire -f -a '(__formwire_complete)'
`,
  powershell: `# formwire completion for PowerShell. Add to $PROFILE:
#   formwire completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName formwire -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements | Select-Object -Skip 1)
  $words = @($elements |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
      else { $_.ToString() }
    })
  # PowerShell splits a list such as id,title: the word at the cursor is the whole list.
  $last = $wordToComplete
  $kept = ''
  $elements |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition -and $_.Extent.EndOffset -ge $cursorPosition } |
    ForEach-Object {
      $text = $_.ToString()
      $text = $text.Substring(0, [Math]::Min($text.Length, $cursorPosition - $_.Extent.StartOffset))
      if ($text.Contains(',') -and $text.EndsWith($wordToComplete)) {
        $last = $text
        $kept = $text.Substring(0, $text.Length - $wordToComplete.Length)
      }
    }
  # Before 7.3, PowerShell passes no empty argument to a program, but two quotation marks arrive as one.
  if ($last -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { $last = '""' }
  # Without quotation marks, the script that npm installs on Windows would not receive the --.
  formwire __complete '--' @words $last 2>$null | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    # PowerShell inserts it as it is, so an id of the service could be a command.
    if ($word -notmatch '^(?!@)[\\w.:@=,/+-]+$') { return }
    if (-not $description) { $description = $word }
    if ($word.StartsWith($kept)) { $word = $word.Substring($kept.Length) }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
}
