/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

/** A shell with a completion script. */
export type Shell = (typeof SHELLS)[number]

/** The script of each shell. All run `formwire __complete`, which prints lines of `word<TAB>description`. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# formwire completion for bash. Add to ~/.bashrc:  source <(formwire completion bash)
_formwire() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(formwire __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _formwire formwire
`,
  zsh: `#compdef formwire
# formwire completion for zsh. Add to ~/.zshrc:  source <(formwire completion zsh)
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
    if (-not $description) { $description = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
}
