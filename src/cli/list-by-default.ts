import type { Command } from 'commander';

/**
 * `kennel task` alone lists the tasks. An unknown word after it is reported as an unknown command, not as a
 * surplus argument of the list.
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
