/** Runs each shipped workflow like a user: real files, a real shell, no model and no network. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { checkWorkflow, type Envelope, resumeWorkflow, runWorkflow } from '../puppy.ts';

const shipped = path.resolve(import.meta.dirname, '../../../resources/workflows');
let home = '';

eachTestInFolder('kennel-shipped-', (made) => {
  home = made;
});

const at = (...parts: string[]): string => path.join(home, ...parts);
const read = (...parts: string[]): string => readFileSync(at(...parts), 'utf8');
function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}
const list = (folder: string): string[] => (existsSync(at(folder)) ? readdirSync(at(folder)).sort() : []);

const options = () => ({ root: shipped, stateDir: at('state') });
const run = (name: string, args: Record<string, unknown>, initiatedBy: string | null = null) =>
  runWorkflow({ file: path.join(shipped, `${name}.puppy`) }, { ...options(), args, initiatedBy });

function tokenOf(envelope: Envelope): string {
  if (!envelope.ok) throw new Error(envelope.error.message);
  const asked = envelope.requiresApproval ?? envelope.requiresInput;
  if (!asked) throw new Error(`Nothing is asked: ${JSON.stringify(envelope)}`);
  return asked.resumeToken;
}
const answer = (envelope: Envelope, approve: boolean, approvedBy: string | null = null) =>
  resumeWorkflow({ token: tokenOf(envelope), approve, approvedBy }, options());
const outputOf = (envelope: Envelope) => (envelope.ok ? envelope.output : envelope.error.message);

test('Shipped workflows have no findings', async () => {
  const files = readdirSync(shipped).filter((file) => file.endsWith('.puppy'));
  expect(files.length).toBeGreaterThanOrEqual(9);
  for (const file of files)
    expect({ file, says: await checkWorkflow({ file }, shipped) }).toEqual({ file, says: [] });
});

describe('hello', () => {
  test('needs no input, shows the greeting and prints it after an approval', async () => {
    const asked = await run('hello', {});
    expect(asked.ok && asked.requiresApproval).toMatchObject({
      prompt: 'Say it?',
      preview: expect.stringContaining('Hello, world.'),
    });
    expect(outputOf(await answer(asked, true))).toEqual(['Hello, world.\nYou said yes.\n']);
    expect(readdirSync(home)).toEqual(['state']);
  });

  test('prints nothing after a rejection and uses the name literally', async () => {
    const asked = await run('hello', { who: '$(touch pwned); "Ann"' });
    expect(asked.ok && asked.requiresApproval?.preview).toContain('Hello, $(touch pwned); "Ann".');
    expect(await answer(asked, false)).toMatchObject({ status: 'cancelled' });
    expect(readdirSync(home)).toEqual(['state']);
  });
});

describe('email-triage', () => {
  const mail = (name: string, lines: string[]) =>
    write(`mail/new/${name}`, `${lines.join('\r\n')}\r\n\r\nBody with List-Id: not a header\r\n`);

  test('sorts by rules without a model and moves mail only after an approval', async () => {
    mail('1', ['From: Ann <ann@example.org>', 'Subject: Can you come?']);
    mail('2', ['From: News <n@shop.example>', 'Subject: 50% off "all"', 'List-Unsubscribe: <x>']);
    mail('3', ['From: Bo <bo@example.org>', 'Subject: Notes \\ $(touch pwned) `id`']);
    const asked = await run('email-triage', { maildir: at('mail'), vip: 'BO@' });
    expect(asked).toMatchObject({ status: 'needs_approval' });
    expect(asked.ok && asked.requiresApproval?.items).toMatchObject([
      { file: '1', folder: 'reply', subject: 'Can you come?' },
      { file: '2', folder: 'news', subject: '50% off "all"' },
      { file: '3', folder: 'reply', subject: 'Notes \\ $(touch pwned) `id`' },
    ]);
    expect(list('mail/new')).toEqual(['1', '2', '3']);
    const done = await answer(asked, true);
    expect(done).toMatchObject({ status: 'ok' });
    expect([list('mail/.reply/new'), list('mail/.news/new'), list('mail/new')]).toEqual([
      ['1', '3'],
      ['2'],
      [],
    ]);
  });

  test('moves nothing after a rejection and asks nothing for an empty inbox', async () => {
    mail('1', ['From: a@b.example', 'Subject: hi']);
    expect(await answer(await run('email-triage', { maildir: at('mail') }), false)).toMatchObject({
      status: 'cancelled',
    });
    expect(list('mail/new')).toEqual(['1']);
    rmSync(at('mail/new/1'));
    expect(await run('email-triage', { maildir: at('mail') })).toMatchObject({ ok: true, status: 'ok' });
  });
});

test('weekly-review: shows the note, writes it after an approval, and keeps the older note', async () => {
  write('vault/a.md', '# A\n- [x] wrote the letter\n- [ ] call Bo\n');
  write('vault/deep/b.md', '* [X] paid `rent`; $(id)\n');
  write('vault/Reviews/2026-W47.md', 'mine\n');
  const asked = await run('weekly-review', { vault: at('vault'), week: '2026-W47' });
  expect(asked.ok && asked.requiresApproval?.prompt).toBe('Write this review to Reviews/2026-W47.md?');
  expect(read('vault/Reviews/2026-W47.md')).toBe('mine\n');
  expect(outputOf(await answer(asked, true))).toEqual(['Reviews/2026-W47.md']);
  expect(read('vault/Reviews/2026-W47.md')).toBe(
    '# Review 2026-W47\n\n## Done\n\n- wrote the letter (a.md)\n- paid `rent`; $(id) (deep/b.md)\n\n## Open\n\n- call Bo (a.md)\n',
  );
  expect(read('vault/Reviews/2026-W47.md.before')).toBe('mine\n');
  expect(await run('weekly-review', { vault: at('vault'), week: '../x' })).toMatchObject({ ok: false });
});

test('inbox-triage: files tagged notes, asks about the others, overwrites none', async () => {
  write('vault/Inbox/a.md', 'Plan the trip #travel\n');
  write('vault/Inbox/b.md', 'Something "odd" $HOME\n');
  const asked = await run('inbox-triage', { vault: at('vault') });
  expect(asked).toMatchObject({ status: 'needs_input' });
  expect(asked.ok && asked.requiresInput?.prompt).toBe(
    'Where does b.md belong? It begins: Something "odd" $HOME',
  );
  expect(list('vault/travel')).toEqual(['a.md']);
  const wrong = await resumeWorkflow({ token: tokenOf(asked), response: { folder: '../out' } }, options());
  expect(wrong).toMatchObject({ ok: false });
  const done = await resumeWorkflow({ token: tokenOf(asked), response: { folder: 'Ideas' } }, options());
  expect(done).toMatchObject({ ok: true, status: 'ok' });
  expect([list('vault/Inbox'), list('vault/Ideas')]).toEqual([[], ['b.md']]);
  write('vault/Inbox/a.md', 'again #travel\n');
  expect(outputOf(await run('inbox-triage', { vault: at('vault') }))).toMatch(/a note of this name/);
  expect(read('vault/travel/a.md')).toBe('Plan the trip #travel\n');
});

test('memory-consolidation: removes duplicate lines, shows the diff and archives the sources', async () => {
  write('memory/people.md', '# People\n- Ann likes tea.\n- Bo is away\n');
  write('memory/today.md', '- ann likes  tea\n- The key is under the mat\n');
  const asked = await run('memory-consolidation', { vault: at('memory') });
  expect(asked.ok && asked.requiresApproval?.preview).toContain('+- The key is under the mat');
  expect(list('memory')).toEqual(['people.md', 'today.md']);
  expect(outputOf(await answer(asked, true))).toEqual(['consolidated.md']);
  expect(read('memory/consolidated.md')).toBe(
    '# consolidated\n\n## people\n\n- Ann likes tea.\n- Bo is away\n\n## today\n\n- The key is under the mat\n',
  );
  expect(list('memory/.archive')).toEqual(['people.md', 'today.md']);
});

test('shared-tasks: merges both lists and their done marks, and a second run changes nothing', async () => {
  write('mine/tasks.md', '# Home\n\n- [ ] Buy milk\n- [x] Fix the door\n\nWords of mine.\n');
  write('theirs/tasks.md', '- [x] buy  milk\n- [ ] Call "Bo"; rm -rf .\n');
  const args = { mine: at('mine/tasks.md'), theirs: at('theirs/tasks.md') };
  const asked = await run('shared-tasks', args);
  expect(asked.ok && asked.requiresApproval?.preview).toContain('+- [ ] Call "Bo"; rm -rf .');
  expect(await answer(asked, true)).toMatchObject({ status: 'ok' });
  expect(read('mine/tasks.md')).toBe(
    '# Home\n\n- [x] Buy milk\n- [x] Fix the door\n\nWords of mine.\n- [ ] Call "Bo"; rm -rf .\n',
  );
  expect(read('theirs/tasks.md')).toBe('- [x] buy  milk\n- [ ] Call "Bo"; rm -rf .\n- [x] Fix the door\n');
  expect(await run('shared-tasks', args)).toMatchObject({ ok: true, status: 'ok' });
});

describe('release-checklist', () => {
  beforeEach(() => {
    write('project/VERSION', '1.4.0\n');
    write('project/CHANGELOG.md', '# Changes\n\n## 1.4.0\n\nFaster.\n\n## 1.3.9\n\nOld.\n');
  });

  test('needs two named approvers other than the initiator', async () => {
    const asked = await run('release-checklist', { folder: at('project') }, 'alice');
    expect(asked.ok && asked.requiresApproval?.prompt).toBe('Release 1.4.0?');
    expect(asked.ok && asked.requiresApproval?.preview).toContain('Faster.');
    for (const nobody of ['alice', 'mallory', null])
      expect(await answer(asked, true, nobody)).toMatchObject({ ok: false });
    const second = await answer(asked, true, 'bob');
    expect(second).toMatchObject({ status: 'needs_approval' });
    expect(list('project/releases')).toEqual([]);
    expect(await answer(second, true, 'bob')).toMatchObject({ ok: false });
    expect(outputOf(await answer(second, true, 'carol'))).toEqual(['1.4.0']);
    expect(read('project/releases/1.4.0.txt')).toMatch(/^version: 1\.4\.0\napproved by: .*carol/);
  });

  test('asks for no approval if a check fails', async () => {
    write('project/VERSION', '1.5.0\n');
    expect(outputOf(await run('release-checklist', { folder: at('project') }, 'alice'))).toMatch(/1\.5\.0/);
    write('project/VERSION', '1.4.0\n');
    const failing = { folder: at('project'), test: 'false' };
    expect(await run('release-checklist', failing, 'alice')).toMatchObject({ ok: false });
  });
});

describe('deploy', () => {
  beforeEach(() => {
    write('build/index.html', 'new\n');
    write('site/releases/41/index.html', 'old\n');
  });
  const args = (more: Record<string, unknown> = {}) => ({
    build: at('build'),
    site: at('site'),
    release: '42',
    ...more,
  });
  const live = (): string | null =>
    existsSync(at('site/current')) ? readlinkSync(at('site/current')) : null;

  test('activates the release before the approval and keeps it after one', async () => {
    const asked = await run('deploy', args());
    expect(asked.ok && asked.requiresApproval?.prompt).toBe('Release 42 is live. Keep it?');
    expect(read('site/current/index.html')).toBe('new\n');
    expect(outputOf(await answer(asked, true))).toEqual(['42 is live']);
    expect(live()).toBe('releases/42');
  });

  test('restores the previous release after a rejection', async () => {
    await answer(await run('deploy', args({ release: '41' })), true);
    const asked = await run('deploy', args());
    expect(live()).toBe('releases/42');
    expect(await answer(asked, false)).toMatchObject({ status: 'cancelled' });
    expect(live()).toBe('releases/41');
  });

  test('rolls back a failing release without asking', async () => {
    const dead = await run('deploy', args({ check: 'missing.html' }));
    expect(dead).toMatchObject({ ok: true });
    expect(live()).toBeNull();
  });
});
