import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSpaceLink, spaceLink } from '../../src/contract/invite-link.ts';
import type { TestHost } from './host-rig.ts';
import { IdentityTown } from './identity-rig.ts';

let town: IdentityTown;
let ada: TestHost & { readonly slug: string };
let spaceId = '';
beforeEach(async () => {
  town = new IdentityTown();
  await town.openRelay();
  ada = await town.resident('ada');
  ({ spaceId } = await ada.call('spaces.create', { name: 'Garden' }));
}, 60_000);
afterEach(() => town.end());

const make = (uses: number | null = 1, days: number | null = 7) =>
  ada.call('links.create', { space: 'Garden', days, uses });
const members = async () =>
  (await ada.call('spaces.members', { space: spaceId })).members.map(({ slug }) => slug);
const spaces = async (kennel: TestHost) =>
  (await kennel.call('chat.rooms', {})).spaces.map(({ name }) => name);

it('A person without an account signs up and joins by one link, and a repeated call changes nothing', async () => {
  const { link } = await make();
  const bob = await town.host(town.newHome());
  expect(await bob.call('links.look', { link })).toMatchObject({
    serverUrl: town.url,
    spaceName: 'Garden',
    inviterSlug: ada.slug,
    signsUp: true,
    signedUp: false,
  });
  expect(await bob.tryCall('links.join', { link })).toMatchObject({ error: { code: 'invalid_input' } });
  const joined = await bob.call('links.join', { link, username: 'bob', displayName: 'Bob' });
  expect(joined).toMatchObject({ spaceId, spaceName: 'Garden', slug: expect.stringMatching(/^bob-/) });
  expect(await spaces(bob)).toContain('Garden');
  expect(await bob.call('links.join', { link })).toEqual(joined);
  expect(await members()).toEqual([ada.slug, joined.slug]);
  const { links } = await ada.call('links.list', { space: 'Garden' });
  expect(links).toEqual([expect.objectContaining({ uses: 1, maxUses: 1, inviterSlug: ada.slug })]);
  // A third person comes too late.
  const eve = await town.host(town.newHome());
  expect(await eve.tryCall('links.join', { link, username: 'eve' })).toMatchObject({
    error: { code: 'forbidden', message: expect.stringContaining('used as often as it may be') },
  });
}, 90_000);

it('A member of the server joins by a link until its maker revokes it', async () => {
  const made = await make(null, null);
  const bob = await town.resident('bob');
  const stranger = await town.resident('carol');
  await bob.call('links.join', { link: made.link });
  expect(await members()).toEqual([ada.slug, bob.slug]);
  expect(await bob.tryCall('links.create', { space: spaceId, days: 7, uses: 1 })).toMatchObject({
    error: { code: 'forbidden' },
  });
  await ada.call('links.revoke', { space: 'Garden', link: made.id.slice(0, 12) });
  expect(await ada.call('links.list', { space: 'Garden' })).toEqual({ links: [] });
  expect(await stranger.tryCall('links.join', { link: made.link })).toMatchObject({
    error: { code: 'forbidden', message: 'This invite link was revoked; ask for a new one.' },
  });
  expect(await members()).toEqual([ada.slug, bob.slug]);
}, 90_000);

it('A link to another server is refused before anything is sent there', async () => {
  const heard: string[] = [];
  const { createServer } = await import('node:http');
  const foreign = createServer((request, answer) => {
    heard.push(String(request.url));
    answer.end('{}');
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const { port } = foreign.address() as { port: number };
  const { inviteCode } = readSpaceLink((await make()).link) ?? { inviteCode: '' };
  const link = spaceLink({ serverUrl: `http://127.0.0.1:${port}`, inviteCode });
  for (const method of ['links.look', 'links.join'] as const)
    expect(await ada.tryCall(method, { link })).toMatchObject({ error: { code: 'conflict' } });
  expect(await ada.tryCall('links.look', { link: 'https://chat.example.org' })).toMatchObject({
    error: { code: 'invalid_input' },
  });
  expect(heard).toEqual([]);
  foreign.close();
}, 60_000);
