import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { toBase64Url } from '../../core/lib/bytes.ts';
import { createNobleEngine } from '../crypto/noble-engine.ts';
import { auditLineText, sealLine } from './audit-lines.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import type { AuditEnd } from './missing-lines.ts';
import { linesBackwards, readAudit, wholeBytes } from './read-audit.ts';
import { verifyAudit } from './verify-audit.ts';

const crypto = createNobleEngine();
const pair = crypto.ed25519KeyPair(new Uint8Array(32).fill(7));
const entry = (detail: string, kind: 'call' | 'decision' = 'call') =>
  ({ kind, agentId: 'guide', tool: 'write_file', digest: 'd', outcome: 'allow', detail }) as const;

let folder = '';
let damaged: string[] = [];
let missing: string[] = [];
const memory: { end: AuditEnd | null } = { end: null };
const open = (): AuditLog =>
  openAuditLog({
    folder,
    crypto,
    publicKey: toBase64Url(pair.public),
    sign: (bytes) => toBase64Url(crypto.ed25519Sign(bytes, pair.secret)),
    clock: createVirtualClock(),
    log: createRecordingLog(),
    onDamaged: (movedTo) => damaged.push(movedTo),
    remembered: () => memory.end,
    onWritten: (end) => {
      memory.end = end;
    },
    onMissing: (what) => missing.push(what),
  });
const path = (name = 'audit.jsonl') => join(folder, name);
const verify = () => verifyAudit(crypto, folder);

async function written(count: number): Promise<void> {
  const log = open();
  await Promise.all(Array.from({ length: count }, (_, i) => log.append(entry(`n${i + 1}`))));
  await log.close();
}

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'kennel-audit-')), 'audit');
  damaged = [];
  missing = [];
  memory.end = null;
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

describe('Audit log', () => {
  it('keeps lines in order across restarts, and verifies', async () => {
    await written(2);
    await written(1);
    expect(verify()).toEqual({ ok: true, lines: 3, problem: '' });
    expect(readAudit(folder, { limit: 10 }).lines.map(({ seq, detail }) => `${seq} ${detail}`)).toEqual([
      '3 n1',
      '2 n2',
      '1 n1',
    ]);
  });

  it('writes all lines of concurrent appends before confirming them', async () => {
    const log = open();
    const all = await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(entry(`n${i}`))));
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(verify()).toMatchObject({ ok: true, lines: 100 });
    await log.close();
  });

  it('is read from the end, by agent and page, at any length', async () => {
    for (let i = 0; i < 7; i += 1) await written(100);
    const page = readAudit(folder, { limit: 2, before: 400 });
    expect([page.lines.map(({ seq }) => seq), page.hasMore]).toEqual([[399, 398], true]);
    expect(readAudit(folder, { limit: 5, agent: 'other' })).toEqual({ lines: [], hasMore: false });
    expect([...linesBackwards(path())]).toHaveLength(700);
    expect(wholeBytes(path())).toBe(readFileSync(path()).length);
  });

  it('verifies as intact if empty', () => {
    expect(verify()).toEqual({ ok: true, lines: 0, problem: '' });
    expect(readAudit(folder, { limit: 5 }).lines).toEqual([]);
  });
});

describe('Tampering with the audit log (T28)', () => {
  it('detects any flipped bit and names its line', async () => {
    await written(2);
    const whole = readFileSync(path());
    let line = 1;
    for (let at = 0; at < whole.length; at += 1) {
      for (const bit of [0, 5]) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        writeFileSync(path(), changed);
        const verdict = verify();
        expect(verdict.ok, `byte ${at}, bit ${bit}`).toBe(false);
        expect(verdict.problem).toMatch(new RegExp(`^Line ${line} `));
        expect(verdict.lines).toBe(line - 1);
      }
      if (whole[at] === 0x0a) line += 1;
    }
  });

  const rewritten: readonly [string, (lines: string[]) => string[]][] = [
    ['a line taken out', (lines) => lines.toSpliced(1, 1)],
    ['two lines swapped', ([a = '', b = '', c = '']) => [a, c, b]],
    ['a line twice', ([a = '', b = '', c = '']) => [a, b, b, c]],
    ['the last line taken off', (lines) => lines.slice(0, -1)],
    ['everything taken off', () => []],
    ['a line of the same meaning, written otherwise', ([a = '', ...more]) => [a.replace(',', ', '), ...more]],
    ['a member added twice', ([a = '', ...more]) => [a.replace('{', '{"outcome":"deny",'), ...more]],
  ];
  it.each(rewritten)('is detected: %s', async (_what, change) => {
    await written(3);
    const lines = readFileSync(path(), 'utf8').split('\n').slice(0, -1);
    writeFileSync(
      path(),
      change(lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(verify().ok).toBe(false);
  });

  it('detects a rebuilt hash chain by the missing host signature', async () => {
    await written(3);
    let prev = '0'.repeat(64);
    const forged = ['n1', 'nothing happened', 'n3'].map((detail, index) => {
      const line = sealLine(crypto, { ...entry(detail), seq: index + 1, at: 1, prev });
      prev = line.hash;
      return auditLineText(line);
    });
    writeFileSync(path(), forged.join(''));
    expect(verify()).toMatchObject({
      ok: false,
      problem: expect.stringContaining('Line 3 is not the one the host signed'),
    });
    rmSync(path('checkpoints.jsonl'));
    writeFileSync(path(), forged.slice(0, 1).join(''));
    expect(verify().ok).toBe(true);
  });

  it('rejects checkpoints of another key, and missing checkpoints of a long log', async () => {
    await written(40);
    const other = toBase64Url(crypto.ed25519KeyPair(new Uint8Array(32).fill(8)).public);
    expect(verifyAudit(crypto, folder, other).ok).toBe(false);
    writeFileSync(path('host-key.json'), JSON.stringify({ publicKey: other }));
    expect(verify().problem).toContain('Checkpoint 1');
    rmSync(path('checkpoints.jsonl'));
    expect(verify().problem).toContain('missing');
  });
});

describe('Audit log after a crash or disk failure', () => {
  it.each([1, 40, 100])('sets a line torn after %i bytes aside and continues the chain', async (bytes) => {
    await written(2);
    const half = readFileSync(path()).subarray(0, bytes);
    appendFileSync(path(), half);
    expect(verify().problem).toContain('Line 3');
    await written(1);
    expect(verify()).toMatchObject({ ok: true, lines: 3 });
    const torn = readdirSync(folder).find((name) => name.startsWith('audit.torn-'));
    expect(readFileSync(path(torn)).equals(half)).toBe(true);
    expect(damaged).toEqual([]);
  });

  it.each([
    [
      'a last line that was changed',
      () => writeFileSync(path(), readFileSync(path(), 'utf8').replace('n2', 'xx')),
    ],
    ['a log cut short', () => writeFileSync(path(), `${readFileSync(path(), 'utf8').split('\n')[0]}\n`)],
    ['a log deleted', () => rmSync(path())],
  ])('sets %s aside, reports it and starts a new log', async (_what, harm) => {
    await written(2);
    harm();
    const log = open();
    expect((await log.append(entry('later'))).ok).toBe(true);
    await log.close();
    expect([damaged.length, missing]).toEqual([1, []]);
    expect(verify()).toMatchObject({ ok: true, lines: 2, problem: expect.stringContaining('put aside') });
    expect(readAudit(folder, { limit: 9 }).lines.at(-1)).toMatchObject({
      seq: 1,
      kind: 'start',
      outcome: 'incomplete',
      detail: expect.stringMatching(/should have 2 lines\. It was put aside as audit\.damaged-/),
    });
  });

  it('writes the next checkpoint intact after one torn by a full disk (F4)', async () => {
    const first = open();
    await first.append(entry('yes', 'decision'));
    const checkpoints = path('checkpoints.jsonl');
    appendFileSync(checkpoints, '{"seq":2,"hash":"ab');
    await first.append(entry('no', 'decision'));
    await first.close();
    expect(readFileSync(checkpoints, 'utf8').split('\n')).toHaveLength(3);
    expect(verify()).toEqual({ ok: true, lines: 2, problem: '' });
  });

  it('rejects a failed append, and chains the next line to the last confirmed one (F4)', async () => {
    await written(1);
    const log = open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder was');
    expect((await log.append(entry('lost'))).ok).toBe(false);
    rmSync(folder);
    expect((await log.append(entry('kept'))).ok).toBe(true);
    await log.close();
    expect((await log.append(entry('after'))).ok).toBe(false);
    expect(verify()).toMatchObject({ ok: true, lines: 2 });
    expect(missing).toEqual(['the only line is missing']);
  });
});

describe('Audit log whose last line is remembered (T28)', () => {
  const cutTo = (count: number): void => {
    const lines = readFileSync(path(), 'utf8').split('\n').slice(0, count);
    writeFileSync(path(), lines.map((line) => `${line}\n`).join(''));
    rmSync(path('checkpoints.jsonl'), { force: true });
  };
  const first = (details: string) =>
    readAudit(folder, { limit: 99 }).lines.find(({ detail }) => detail.includes(details));

  it.each([
    ['the whole folder', () => rmSync(folder, { recursive: true }), 'all 5 lines are missing'],
    ['the log with its checkpoints', () => cutTo(0), 'all 5 lines are missing'],
    ['its end', () => cutTo(3), 'lines 4 to 5 are missing, 2 of 5'],
    ['its last line', () => cutTo(4), 'line 5 is missing'],
  ])('detects, reports and records the removal of %s', async (_what, harm, words) => {
    await written(5);
    harm();
    expect(verify().ok).toBe(true);
    await written(1);
    expect([missing, damaged]).toEqual([[words], []]);
    expect(first(words)).toMatchObject({ kind: 'start', outcome: 'incomplete' });
    await written(1);
    expect(missing).toHaveLength(1);
    expect(verify().ok).toBe(true);
  });

  it('detects a replaced log, even if the new one is longer', async () => {
    await written(3);
    const remembered = memory.end;
    rmSync(folder, { recursive: true });
    memory.end = null;
    await written(6);
    memory.end = remembered && { ...remembered, hash: 'f'.repeat(64) };
    await written(1);
    expect(missing).toEqual(['the lines up to 3 are missing: others stand in their place']);
  });

  it('reports nothing for lines newer than the remembered one or for a torn last line', async () => {
    await written(2);
    const before = memory.end;
    await written(3);
    memory.end = before;
    appendFileSync(path(), '{"half');
    await written(1);
    expect([missing, damaged, verify().lines]).toEqual([[], [], 6]);
    expect(memory.end?.seq).toBe(6);
  });

  it('remembers no line that is not on disk (F4)', async () => {
    await written(1);
    const log = open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder was');
    await log.append(entry('lost'));
    expect(memory.end?.seq).toBe(1);
    rmSync(folder);
    await log.close();
  });
});
