import type { Command } from 'commander';

/**
 * `kennel task` alone lists them. A word behind it that is no command is told as such, and not as one word too many for a list
 * that nobody asked for.
 */
export function listByDefault(group: Command): Command {
  const list = group.command('list', { isDefault: true }).allowExcessArguments();
  return list.hook('preAction', () => {
    const [surplus] = list.args;
    if (surplus === undefined) return;
    if (group.args[0] === 'list') group.error(`error: list takes no arguments, but got '${surplus}'.`);
    const known = group.commands.map((command) => command.name()).join(', ');
    group.error(`error: unknown command '${surplus}'; there are ${known}.`);
  });
}
