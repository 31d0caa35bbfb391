import { defineCommand } from '../command.ts';
import { completionScripts } from '../completion/scripts.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';

async function runCompletion(args: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  const [shell = ''] = args;
  const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
  if (script === undefined)
    throw commandFailure('invalid_input', 'cliTerminal.unknownShell', {
      shells: Object.keys(completionScripts).join(', '),
    });
  show(flags.json === true, { shell, script }, script.trimEnd());
  return exitOk;
}

export const completionCommand = defineCommand({
  verb: '',
  args: '<bash|zsh|fish|pwsh>',
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_kennel',
    'completion fish > ~/.config/fish/completions/kennel.fish',
  ],
  run: runCompletion,
});
