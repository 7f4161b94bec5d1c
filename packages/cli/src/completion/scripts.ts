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
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or $wordToComplete -eq '' } |
    ForEach-Object { $_.ToString() })
  # PowerShell before 7.3 drops an empty argument of a program, so that the word is marked instead.
  $last = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
  if ($PSVersionTable.PSVersion -ge [version]'7.3') { $last = $wordToComplete }
  formwire __complete -- @words $last 2>$null | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
}
