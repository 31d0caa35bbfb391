import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runWorkflow } from '../../src/library/puppy.ts';
import type { KillPlan } from '../children/workflow-engine.ts';
import { needs, onLinux } from '../fakes/programs.ts';
import { proof } from '../fakes/test-run.ts';
import { newFolder, notRoot, removeFolder, smallDisk } from './places.ts';
import { checkPromises, forgetPlans, newPlan, program, traces } from './workflow-program.ts';

const leave = JSON.stringify('echo "$PUPPY_STEP" >> effects.log');
const plan: KillPlan = {
  text: `steps:
  - {id: a, run: ${leave}}
  - {id: big, run: "head -c 60000 /dev/zero | tr '\\\\0' x", effect: pure}
  - {id: g, approval: go}
  - {id: b, run: ${leave}}
  - {id: c, pipeline: "exec --shell 'seq 1 2000' | head --n 2000", effect: pure}
  - {id: d, run: ${leave}}`,
};
const expected = ['a', '? g', 'b', 'd'];

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => {
  removeFolder(folder);
  forgetPlans();
});

describe.skipIf(notRoot || !onLinux)('Journal disk', () => {
  beforeAll(() => needs('unshare', 'nsenter'));
  it('when full, stops the run without repeating an effect; the run resumes once space is free (F4)', async () => {
    const sizes = proof ? Array.from({ length: 20 }, (_, n) => 40 + n * 24) : [60, 180, 260, 380];
    let failed = 0;
    for (const kib of sizes) {
      const disk = await smallDisk(kib);
      const place = newPlan(plan);
      const options = { state: path.join(disk.inside, 'state'), wrap: disk.wrap };
      const first = await program(place, options).catch((error: unknown) => String(error));
      if (typeof first === 'string') {
        failed += 1;
        expect(first).toMatch(/disk is full/i);
        disk.grow(8_000);
      }
      const told = await program(place, options);
      expect({ kib, status: told?.status, traces: traces(place) }).toEqual({
        kib,
        status: 'ok',
        traces: expected,
      });
      checkPromises(plan, path.join(disk.copy(), 'state'), told?.run ?? '', traces(place));
      await disk.remove();
    }
    expect(failed).toBeGreaterThan(1);
  });

  it('when read-only, is reported and nothing runs (F6)', async () => {
    const disk = await smallDisk(8_000);
    const place = newPlan(plan);
    const options = { state: path.join(disk.inside, 'state'), wrap: disk.wrap };
    // Kills it with its gate open.
    expect(await program(place, { ...options, killAt: '7:after' })).toBeNull();
    const before = traces(place);
    disk.run(`mount -o remount,ro ${disk.inside}`);
    await expect(program(place, options)).rejects.toThrow(
      /could not be opened|may not be written|Read-only/i,
    );
    expect(traces(place)).toEqual(before);
    disk.run(`mount -o remount,rw ${disk.inside}`);
    expect((await program(place, options))?.status).toBe('ok');
    expect(traces(place).filter((line) => !line.startsWith('?'))).toEqual(['a', 'b', 'd']);
    await disk.remove();
  });
});

describe('Programs that share a state folder', () => {
  it('process the same run one at a time, and each step runs once (F17)', async () => {
    const place = newPlan({
      text: `steps: [{id: a, run: ${leave}}, {id: s, sleep: 200ms}, {id: b, run: ${leave}}]`,
    });
    const all = await Promise.all([1, 2, 3].map(() => program(place)));
    const last = await program(place);
    expect(last?.status).toBe('ok');
    expect(new Set(all.map((one) => one?.run)).size).toBe(1);
    expect(traces(place)).toEqual(['a', 'b']);
  });

  it('race to resume a killed run: one wins, and each step runs once (F1, F17)', async () => {
    const points = [
      '2:before',
      '2:after',
      '3:before',
      '3:after',
      '4:after',
      '5:after',
      '6:before',
      '7:after',
    ];
    for (const point of proof ? points : points.filter((_, n) => n % 3 === 0)) {
      const raced: KillPlan = {
        text: `steps: [{id: a, run: ${leave}}, {id: b, run: ${leave}, effect: idempotent}, {id: s, sleep: 200ms}, {id: c, run: ${leave}}]`,
      };
      const place = newPlan(raced);
      expect(await program(place, { killAt: point })).toBeNull();
      await Promise.all([1, 2, 3].map(() => program(place)));
      const last = await program(place);
      expect({ point, status: last?.status }).toEqual({ point, status: 'ok' });
      const done = traces(place).filter((line) => !line.startsWith('?'));
      expect({ point, done: done.filter((line) => line !== 'b') }).toEqual({ point, done: ['a', 'c'] });
      expect({ point, done: new Set(done) }).toEqual({ point, done: new Set(['a', 'b', 'c']) });
      checkPromises(raced, path.join(place, 'state'), last?.run ?? '', traces(place));
    }
  }, 300_000);

  it('answer the same question with the same token concurrently: one succeeds (T5)', async () => {
    const stateDir = path.join(folder, 'state');
    const text = `steps: [{id: g, approval: go}, {id: b, run: ${leave}}]`;
    const asked = await runWorkflow({ text }, { stateDir, root: folder });
    const token = asked.ok ? asked.requiresApproval?.resumeToken : undefined;
    const library = new URL('../../src/library/puppy.ts', import.meta.url).href;
    const script = `const { resumeWorkflow } = await import(${JSON.stringify(library)});
      console.log(JSON.stringify(await resumeWorkflow({ token: ${JSON.stringify(token)}, approve: true },
        { stateDir: ${JSON.stringify(stateDir)}, root: ${JSON.stringify(folder)} })));`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
        let out = '';
        for await (const piece of child.stdout) out += String(piece);
        return (JSON.parse(out) as { ok: boolean }).ok;
      }),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(traces(folder)).toEqual(['b']);
  });
});

describe('A waiting workflow', () => {
  const changes: Readonly<Record<string, (file: string) => void>> = {
    edited: (file) =>
      writeFileSync(
        file,
        readFileSync(file, 'utf8')
          .replaceAll('b, run', 'b, effect: pure, run')
          .replaceAll('b.log', 'evil.log'),
      ),
    shortened: (file) => truncateSync(file, 20),
    deleted: (file) => rmSync(file),
    'a folder now': (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`resumes with exactly the approved steps although its file was changed: ${what} (T8)`, async () => {
      const file = path.join(folder, 'w.puppy');
      const child = path.join(folder, 'inner.puppy');
      writeFileSync(
        file,
        'steps: [{id: g, approval: go}, {id: b, run: echo b >> b.log}, {id: i, workflow: inner.puppy}]',
      );
      writeFileSync(child, 'steps: [{id: b, run: echo i >> b.log}]');
      const options = { stateDir: path.join(folder, 'state'), root: folder };
      const asked = await runWorkflow({ file: 'w.puppy' }, options);
      const token = asked.ok ? (asked.requiresApproval?.resumeToken ?? '') : '';
      change(file);
      change(child);
      const { resumeWorkflow } = await import('../../src/library/puppy.ts');
      expect(await resumeWorkflow({ token, approve: true }, options)).toMatchObject({
        ok: true,
        status: 'ok',
      });
      expect(readFileSync(path.join(folder, 'b.log'), 'utf8')).toBe('b\ni\n');
    });
  }
});

describe('Workflow file made to exhaust its parser', () => {
  const bombs: Readonly<Record<string, string>> = {
    aliases: `a: &a [x]\n${'bcdefghij'
      .split('')
      .map((name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[n]}`).join(', ')}]`)
      .join('\n')}\nsteps: *j`,
    'anchors that contain themselves': 'steps: &s [{id: a, run: x, env: *s}]',
    depth: `steps: ${'['.repeat(20_000)}`,
    'blocks in blocks': `steps:\n${Array.from({ length: 3_000 }, (_, n) => `${' '.repeat(n)}- steps:`).join('\n')}`,
    'many steps': `steps:\n${'  - {id: a, run: x}\n'.repeat(60_000)}`,
    'one long word': `steps: [{id: ${'a'.repeat(3_000_000)}, run: x}]`,
    'a slow condition': `steps: [{id: a, run: x, when: '${'('.repeat(5_000)}'}]`,
  };
  for (const [what, text] of Object.entries(bombs)) {
    it(`is rejected before anything runs: ${what} (T25)`, async () => {
      const before = process.memoryUsage().rss;
      const told = await runWorkflow({ text }, { stateDir: path.join(folder, 'state'), root: folder });
      expect(told).toMatchObject({ ok: false, error: { type: 'parse_error' } });
      expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400);
    });
  }
});
