import { expect, it } from 'vitest';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { createPictures } from './pictures.ts';

const hosts = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '127.1',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.0.1',
  '172.16.0.1',
  '[::ffff:127.0.0.1]',
  '[fd00::1]',
  'metadata.google.internal',
  'evil.example',
  '127.0.0.1.nip.io',
  'user:pass@127.0.0.1',
  '①②⑦.0.0.1',
];
const addresses = [
  ...hosts.flatMap((host) => [`http://${host}/x`, `https://${host}/blobs/b1`, `//${host}/blobs/b1`]),
  'file:///etc/passwd',
  'data:image/png;base64,AA',
  '/blobs/../admin',
  '/blobs/a/b',
  '/blobs/a?x=1',
  '/blobs/%2e%2e',
  '\\\\host\\share',
  '/messages',
  'blobs/b1',
  '/blobs/b1\n',
  '',
];

it('T17 Avatar addresses load only blobs of the configured server', async () => {
  const asked: string[] = [];
  let address = '';
  const puffo_core = { server_url: 'https://chat.example.org/relay' };
  const agent = () => ({ id: 'a', lastGood: agentConfigSchema().parse({ avatar_url: address, puffo_core }) });
  const agents = { get: agent, list: () => [agent()] };
  const account = () => ({ downloadBlob: async (id: string) => ({ ok: false, error: asked.push(id) }) });
  const picture = createPictures({ agents, fleet: { account } } as never).agent;
  expect(addresses.length).toBeGreaterThan(60);
  for (address of addresses)
    expect(await picture({ agent: 'a' })).toEqual({ ok: true, value: { picture: '' } });
  expect(asked).toEqual([]);
  address = '/blobs/b1';
  await picture({ agent: 'a' });
  address = 'https://chat.example.org/relay/blobs/b2';
  await picture({ agent: 'a' });
  expect(asked).toEqual(['b1', 'b2']);
});
