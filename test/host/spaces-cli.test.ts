import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { createRig, must, type Rig, type TestAccount } from '../fakes/puffo-rig.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
let rig: Rig;
let host: TestHost;
let bob: TestAccount;

/** Runs the real command against this test's host, over its socket. */
const kennel = (...args: readonly string[]) => kennelReading('', ...args);

/** The same, with text on standard input. */
async function kennelReading(input: string, ...args: readonly string[]) {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(process.execPath, [kennelEntry, ...args], {
    env: { PATH, TMPDIR, HOME: folder.home, KENNEL_HOME: folder.home, KENNEL_NO_KEYCHAIN: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => (said.out += String(piece)));
  child.stderr.on('data', (piece) => (said.err += String(piece)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...said };
}

beforeAll(async () => {
  rig = await createRig();
  host = await startHost(folder.home, { env: { KENNEL_PASSPHRASE: 'correct horse' } });
  const inviteCode = rig.relay.createInvite();
  await host.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' });
  await host.call('agents.create', { id: 'scribe', provider: 'scripted' });
  bob = rig.open(await rig.person('bob'), { watchRooms: true });
  await bob.online();
}, 60_000);
afterAll(async () => {
  await host.stop();
  await rig.stop();
  folder.remove();
});

it('The space command creates, renames and archives spaces; leaving needs --yes and a new owner', async () => {
  const made = await kennel('space', 'create', 'Garden');
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain('Made the space Garden with the channel #general.');
  const listed = await kennel('space', 'list');
  expect(listed.out).toMatch(/^Garden +owner +1 +open +sp_/m);
  const spaces = JSON.parse((await kennel('space', 'list', '--json')).out) as { spaces: { name: string }[] };
  expect(spaces.spaces.map(({ name }) => name).sort()).toEqual(['Garden', 'Kennel']);
  expect((await kennel('space', 'rename', 'Garden', 'Allotment')).out).toContain('is now called Allotment.');
  expect((await kennel('space', 'archive', 'Allotment')).out).toContain('archived and read-only');
  expect((await kennel('space', 'list')).out).toMatch(/^Allotment .*archived/m);
  const frozen = await kennel('channel', 'create', 'Allotment', 'beds');
  expect(frozen.code).toBe(2);
  expect(frozen.err).toContain('kennel space unarchive');
  expect((await kennel('space', 'unarchive', 'Allotment')).code).toBe(0);

  const asked = await kennel('space', 'leave', 'Allotment');
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toContain('Add --yes to say that you mean it.');
  const owner = await kennel('space', 'leave', 'Allotment', '--yes');
  expect(owner).toMatchObject({ code: 2 });
  expect(owner.err).toContain('kennel space hand-over');
  expect((await kennel('space', 'rename', 'Alotment', 'x')).err).toContain('Did you mean "Allotment"?');
}, 120_000);

it('The space command invites people and agents, lists members, changes roles and removes members', async () => {
  const { slug } = bob.account;
  const sent = await kennel('invite', slug, '--space', 'Allotment');
  expect(sent.out).toContain(`${slug} is invited to Allotment, and has to accept it first.`);
  const unanswered = await kennel('invites', 'sent');
  expect(unanswered.out).toMatch(/^ev_\S+\n {2}bob.* to the space Allotment$/m);
  const invite = await until('the invitation', () => bob.invites[0]);
  must(await bob.account.answerInvite(invite, true));
  expect((await kennel('invite', 'scribe', '--channel', 'Allotment/#general')).out).toContain('scribe is in');
  expect((await kennel('invite', slug)).code).toBe(2);
  expect(await kennel('invite', 'nobody-0000', '--space', 'Allotment')).toMatchObject({ code: 2 });
  const members = await kennel('space', 'members', 'Allotment');
  expect(members.out).toMatch(/^ada +owner +person +ada-/m);
  expect(members.out).toMatch(/^scribe +member +agent/m);
  expect((await kennel('space', 'role', 'Allotment', slug, 'king')).code).toBe(2);
  expect((await kennel('space', 'role', 'Allotment', slug, 'admin')).out).toContain(
    'is admin in Allotment now.',
  );
  const handed = await kennel('space', 'hand-over', 'Allotment', slug, '--yes');
  expect(handed.out).toContain('You are an admin there.');
  const forbidden = await kennel('space', 'archive', 'Allotment');
  expect(forbidden).toMatchObject({
    code: 1,
    err: 'kennel: Only the owner may archive a space or bring it back.\n',
  });
  const removed = await kennel('space', 'remove', 'Allotment', 'scribe', '--yes', '--json');
  expect(JSON.parse(removed.out)).toMatchObject({ who: 'scribe', removed: true });
}, 120_000);

it('The channel command creates, lists, leaves and deletes channels, and marks unencrypted ones', async () => {
  const sealed = await kennel('channel', 'create', 'Allotment', '#beds');
  expect(sealed.out).toContain('Made #beds in Allotment, end-to-end encrypted.');
  const open = await kennel('channel', 'create', 'Allotment', 'fence', '--no-encrypted');
  expect(open.out).toContain('It is not encrypted');
  const listed = await kennel('channel', 'list', 'Allotment');
  expect(listed.out).toMatch(/^#fence +Allotment +1 +not encrypted +ch_/m);
  expect((await kennel('channel', 'rename', '#fence', 'gate')).out).toContain('is now called #gate.');
  expect((await kennel('channel', 'delete', '#gate')).code).toBe(2);
  expect((await kennel('channel', 'delete', '#gate', '--yes')).out).toContain('Deleted #gate.');
  expect((await kennel('invite', 'scribe', '--channel', '#beds')).out).toContain('scribe is in #beds.');
  expect((await kennel('channel', 'remove', '#beds', 'scribe', '--yes')).code).toBe(0);
  expect((await kennel('channel', 'leave', '#beds', '--yes')).out).toContain('You have left #beds.');
  expect((await kennel('channel', 'list', 'Allotment')).out).not.toContain('#beds');
}, 120_000);

it('The invites command lists and answers invitations; names cannot inject terminal codes (T21)', async () => {
  expect((await kennel('invites')).out).toBe('No invitations.\n');
  const { self } = await host.call('chat.rooms', {});
  const trap = must(await bob.account.createSpace('Nice\u001b[2J\u202eplace'));
  must(await bob.account.inviteToSpace(trap.spaceId, self ?? ''));
  const shown = await until('the invitation', async () => {
    const { out } = await kennel('invites');
    return out.includes('invites you') && out;
  });
  expect(shown).toContain('the space Nice<U+001B>[2J<U+202E>place');
  const id = shown.split('\n')[0] ?? '';
  const declined = await kennel('invites', 'reject', id.slice(0, 14));
  expect(declined).toMatchObject({ code: 0, out: 'Declined. The person who invited you sees that.\n' });
  expect((await kennel('invites', 'accept', id)).code).toBe(2);
  const good = must(await bob.account.createSpace('Bobs'));
  must(await bob.account.inviteToSpace(good.spaceId, self ?? ''));
  const list = await until('the invitation', async () => {
    const { received } = JSON.parse((await kennel('invites', '--json')).out) as {
      received: { id: string }[];
    };
    return received[0];
  });
  const accepted = await kennel('invites', 'accept', list.id, '--json');
  expect(JSON.parse(accepted.out)).toEqual({ invite: list.id, accepted: true });
  expect((await kennel('space', 'list')).out).toMatch(/^Bobs +member /m);
}, 120_000);

it('The agent autoaccept command shows and sets the option; a server error exits with 1 (spec §8)', async () => {
  const args = ['agent', 'autoaccept', 'scribe', '--space', 'Kennel'];
  expect((await kennel(...args)).out).toContain('accepts invitations from you for scribe at once');
  expect(await kennel(...args, '--owner', 'off')).toMatchObject({ code: 0 });
  const off = JSON.parse((await kennel(...args, '--json')).out) as unknown;
  expect(off).toMatchObject({ agent: 'scribe', ownerInvites: false, memberInvites: false });
  expect(await kennel(...args, '--owner', 'maybe')).toMatchObject({ code: 2 });
  expect(await kennel('agent', 'autoaccept', 'nobody', '--space', 'Kennel')).toMatchObject({ code: 2 });
  await host.call('spaces.create', { name: 'Empty' });
  const refused = await kennel('agent', 'autoaccept', 'scribe', '--space', 'Empty', '--owner', 'on');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('neither in this space nor invited to it');
}, 120_000);

it('The space link command makes, lists and revokes links; join names the server before it connects', async () => {
  await kennel('space', 'create', 'Orchard');
  const made = await kennel('space', 'link', 'create', 'Orchard', '--expires', '1d', '--uses', '1');
  expect(made).toMatchObject({ code: 0, err: '' });
  const [link = ''] = made.out.split('\n');
  expect(link).toMatch(/^kennel:\/\/join\?server=http%3A%2F%2F127\.0\.0\.1%3A\d+#lnk-/);
  expect(made.out).toContain('can join Orchard: one person, until ');
  const listed = await kennel('space', 'link', 'list', 'Orchard');
  expect(listed.out).toMatch(/^ev_\S+ +open +0 of 1 +/m);
  const [id = ''] = /^ev_\S+/m.exec(listed.out) ?? [];
  const asked = await kennelReading(link, 'space', 'join', '-');
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toContain(`This connects to ${rig.relay.url}.`);
  expect((await kennelReading(link, 'space', 'join', '-', '--yes')).out).toContain(
    'You are in Orchard as ada-',
  );
  expect((await kennel('space', 'link', 'revoke', 'Orchard', id)).out).toContain('Revoked.');
  expect((await kennel('space', 'link', 'list', 'Orchard')).out).toContain('has no invite links');
  expect((await kennel('space', 'link', 'make', 'Orchard')).code).toBe(2);
});
