// Completion scripts. Each asks `kennel __complete` for the candidates, so they stay valid after an update.

const bash = `# Completion of kennel and puppy for bash.
_kennel() {
  local line found
  COMPREPLY=()
  found="$("\${COMP_WORDS[0]}" __complete "--current=\${COMP_WORDS[COMP_CWORD]}" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  if [ "$found" = ':files' ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
    return
  fi
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("\${line%%$'\\t'*}")
  done <<< "$found"
}
complete -F _kennel kennel puppy
`;

const zsh = `#compdef kennel puppy
# Completion of kennel and puppy for zsh.
_kennel() {
  local line
  local -a found described
  found=("\${(@f)$("\${words[1]}" __complete "--current=\${words[CURRENT]}" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  if [[ "\${found[1]}" == ':files' ]]; then
    _files
    return
  fi
  for line in "\${found[@]}"; do
    [[ -n "$line" ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe kennel described
}
if [[ "\${funcstack[1]}" == _kennel ]]; then
  _kennel "$@"
else
  compdef _kennel kennel puppy
fi
`;

const fish = `# Completion of kennel and puppy for fish.
function __kennel_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] __complete "--current=$current" -- $words[2..-1] 2>/dev/null)
    if test "$found[1]" = ':files'
        __fish_complete_path "$current"
    else
        string join \\n -- $found
    end
end
complete -c kennel -f -a '(__kennel_complete)'
complete -c puppy -f -a '(__kennel_complete)'
`;

const pwsh = `# Completion of kennel and puppy for PowerShell.
Register-ArgumentCompleter -Native -CommandName kennel, puppy -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    $before = @($words | Select-Object -Skip 1)
    & $words[0] __complete "--current=$wordToComplete" -- @before 2>$null | ForEach-Object {
        if ($_ -eq ':files') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
        } else {
            $value, $summary = $_ -split "\`t", 2
            if (-not $summary) { $summary = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $summary)
        }
    }
}
`;

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish, pwsh };
