import { expect, it } from 'vitest';
import type { Connection, HostView } from '../../contract/model.ts';
import { checkHost } from './host-checks.ts';

const checked = (connection: Connection) => {
  const operator = { slug: 'ada-0001', serverUrl: 'http://relay', connection };
  return checkHost(
    {
      mode: 'full',
      problems: { list: () => [] },
      agents: { list: () => [] },
      summarize: () => {
        throw new Error('no agent is asked');
      },
    },
    { operator, vault: { note: '' } } as unknown as HostView,
  );
};

it('The state of a lost connection is a text of the catalogs, not a word of the protocol', () => {
  for (const connection of ['none', 'connecting', 'offline', 'blocked'] as const)
    expect(checked(connection)).toMatchObject([
      {
        id: 'server',
        detail: {
          text: `ada-0001 is not connected to http://relay (${connection}).`,
          values: { state: { key: `doctor.connection_${connection}` } },
        },
      },
    ]);
  expect(checked('online')).toEqual([]);
});
