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
    COMPREPLY+=("\${line#"$kept"}")
  done < <(formwire __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _formwire formwire
`,
  zsh: `#compdef formwire
# formwire completion for zsh. Add to ~/.zshrc, after compinit:  source <(formwire completion zsh)
# Or save it as _formwire in a directory of $fpath.
_formwire() {
  local -a candidates
  local line word
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
  done < <(formwire __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe -V formwire candidates
  else
    compset -P '--*='
    _files
  fi
}
# As an autoloaded function, this file has to complete as well.
if [[ $funcstack[1] == _formwire ]]; then
  _formwire "$@"
elif (( $+functions[compdef] )); then
  compdef _formwire formwire
else
  print -u2 'formwire: completion requires compinit: run "autoload -Uz compinit; compinit" before it in ~/.zshrc'
fi
`,
  fish: `# formwire completion for fish. Save as ~/.config/fish/completions/formwire.fish
function __formwire_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (formwire __complete -- $words[2..-1] 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        set -l option (string match -r -- '^--[^=]+=' $words[-1])
        printf "%s\\n" "$option"(complete -C "'' "(string replace -- "$option" '' "$words[-1]"))
    end
end
complete -c formwire -f -a '(__formwire_complete)'
`,
  powershell: `# formwire completion for PowerShell. Add to $PROFILE:
#   formwire completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName formwire -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
      else { $_.ToString() }
    })
  $last = $wordToComplete
  # Before 7.3, PowerShell passes no empty argument to a program, but two quotation marks arrive as one.
  if ($last -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { $last = '""' }
  # Without quotation marks, the script that npm installs on Windows would not receive the --.
  formwire __complete '--' @words $last 2>$null | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    # PowerShell inserts it as it is, so an id of the service could be a command.
    if ($word -notmatch '^(?!@)[\\w.:@=,/+-]+$') { return }
    if (-not $description) { $description = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
}
