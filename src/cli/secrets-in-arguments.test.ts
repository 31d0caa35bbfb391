import { expect, it } from 'vitest';
import { type CommandSpec, optionName } from './command.ts';
import { nouns } from './registry.ts';

const secret = 'lnk-canary-5c1f';
const named = new Map<string, CommandSpec>();
for (const noun of nouns) {
  for (const spec of await noun.load()) named.set(`${noun.name} ${spec.verb}`.trim(), spec);
}

/** Every command that takes a secret: its arguments, and its flags with the secret as a literal. */
const takers: readonly (readonly [command: string, args: readonly string[], flags: object])[] = [
  ['agent create', ['helper'], { apiKey: secret }],
  ['agent runtime', ['guide'], { apiKey: secret }],
  ['agent export', ['guide', 'out'], { passphrase: secret, encrypted: true }],
  ['import', ['in'], { passphrase: secret }],
  ['config', [], { apiKey: secret, provider: 'openai' }],
  ['config set', ['openai.api-key', secret], {}],
  ['auth login', ['openai'], { apiKey: secret }],
  ['mcp add', ['tracker', 'server'], { secret: [`TOKEN=${secret}`] }],
  ['operator sign-up', [], { invite: secret, server: 'http://127.0.0.1:9', username: 'ada' }],
  ['space join', [`kennel://join?server=http%3A%2F%2F127.0.0.1%3A9#${secret}`], { yes: true }],
];

/** Options and arguments whose name looks like a secret, and why they are none. */
const harmless: Readonly<Record<string, string>> = {
  '--key': 'idempotency key',
  '--token': 'name of a question in a store that only its user can read',
  '--tokens-per-day': 'number of model tokens',
  '--tokens-per-month': 'number of model tokens',
  '--budget-tokens': 'number of model tokens',
  '--max-link-sign-ups': 'number of people',
  'operator approve <code>': 'names a request; the approval needs the words and the keys of the operator',
  'space link [link]': 'id of a link',
};

it.each(takers)(
  'T18 %s refuses a secret in its arguments and does not repeat it',
  async (command, args, flags) => {
    const spec = named.get(command);
    if (spec === undefined) throw new Error(`${command} is unknown`);
    const refused = spec.run(args, flags, '1.0.0');
    await expect(refused).rejects.toMatchObject({ error: { code: 'invalid_input' }, exitCode: 2 });
    await expect(refused).rejects.toThrow('process list');
    await expect(refused).rejects.not.toThrow(secret);
  },
);

it('T18 no other option or argument takes a secret', () => {
  const suspicious = /key|pass|secret|invite|token|link|code/i;
  const found = [...named].flatMap(([command, { options = [], args = '' }]) => [
    ...options
      .filter((one) => suspicious.test(optionName(one)))
      .map((one) => ({ command, word: optionName(one) })),
    ...(args.match(/<[^>]+>|\[[^\]]+\]/g) ?? [])
      .filter((word) => suspicious.test(word))
      .map((word) => ({ command, word: `${command} ${word}` })),
  ]);
  const refusing = new Set(takers.map(([command]) => command));
  expect(found.filter(({ command, word }) => !(word in harmless) && !refusing.has(command))).toEqual([]);
});
