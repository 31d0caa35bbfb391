/** Programs that run one workflow and are killed on the way, and the invariants of every such run. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { brokenAt } from '../../src/core/workflows/engine/events.ts';
import { stepPlace } from '../../src/core/workflows/file/definition.ts';
import type { KillPlan } from '../children/workflow-engine.ts';
import { guardsOf } from '../fakes/random-workflow.ts';
import { workflow } from '../fakes/workflow-rig.ts';
import { openSampleJournal } from '../fakes/workflow-samples.ts';
import { newFolder, removeFolder } from './places.ts';

const script = path.resolve(import.meta.dirname, '../children/workflow-engine.ts');
const folders: string[] = [];

export function forgetPlans(): void {
  for (const folder of folders.splice(0)) removeFolder(folder);
}

export interface Told {
  readonly run: string;
  readonly status: string;
  readonly output: unknown;
  readonly writes: number;
}

export interface ProgramOptions {
  /** The write at which the program dies, such as `3:before`. */
  readonly killAt?: string | null;
  /** Folder of the journal; absent: the folder of the plan. */
  readonly state?: string;
  /** Command that starts the program. */
  readonly wrap?: readonly string[];
}

/** `null` if it was killed. */
export function program(
  folder: string,
  { killAt = null, state, wrap = [] }: ProgramOptions = {},
): Promise<Told | null> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      ...(killAt === null ? {} : { KENNEL_KILL_AT: killAt }),
      ...(state === undefined ? {} : { KENNEL_PLAN_STATE: state }),
    };
    const [command = '', ...args] = [...wrap, process.execPath, script, folder];
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { out: '', error: '' };
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      texts.out += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      texts.error += piece;
    });
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') return resolve(null);
      if (code !== 0) return reject(new Error(`${folder}, ${killAt}: ${code} ${texts.error}`));
      resolve(JSON.parse(texts.out) as Told);
    });
  });
}

export function newPlan(plan: KillPlan): string {
  const folder = newFolder();
  folders.push(folder);
  writeFileSync(path.join(folder, 'plan.json'), JSON.stringify(plan));
  return folder;
}

/** Lines that steps and answers left, in order. */
export function traces(folder: string): readonly string[] {
  const file = path.join(folder, 'effects.log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Runs one program per kill until one survives, then one more, and returns the result. */
export async function live(plan: KillPlan, kills: readonly string[]) {
  const folder = newPlan(plan);
  for (const kill of kills) if (await program(folder, { killAt: kill })) break;
  const told = await program(folder);
  if (!told) throw new Error('nobody was to kill it');
  const lines = traces(folder);
  const { saidDone } = checkPromises(plan, path.join(folder, 'state'), told.run, lines);
  const done = [...new Set(lines)].toSorted();
  return { status: told.status, output: told.output, done, writes: told.writes, saidDone };
}

/**
 * No step continues after its recorded end, no step of class `once` leaves two traces, and none precedes its
 * gate.
 */
export function checkPromises(plan: KillPlan, state: string, run: string, lines: readonly string[]) {
  const journal = openSampleJournal(path.join(state, 'workflows.db'), null);
  const rows = journal.events(run, 0);
  journal.release();
  const sha256 = (data: Uint8Array | string): Uint8Array => createHash('sha256').update(data).digest();
  expect(brokenAt(sha256, run, rows)).toBeNull();
  const ended = new Set<string>();
  const skipped = new Set<string>();
  /** The operator answered `done` for a step; its output is lost with the process that ran it. */
  let saidDone = false;
  const once = new Set<string>();
  for (const { event } of rows) {
    if (event.type === 'step_started') {
      expect(ended).not.toContain(event.path);
      if (event.effect === 'once') once.add(event.path);
    }
    if (event.type === 'step_ended') ended.add(event.path);
    if (event.type === 'step_ended' && event.saidBy !== undefined) saidDone = true;
    if (event.type === 'step_skipped') skipped.add(event.path);
  }
  const effects = lines.filter((line) => !line.startsWith('? '));
  for (const place of once)
    expect({ place, times: effects.filter((one) => one === place).length <= 1 }).toEqual({
      place,
      times: true,
    });
  const guards = guardsOf(workflow(plan.text).steps);
  for (const [index, line] of lines.entries()) {
    const indexes = [...line.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    for (const gate of guards.get(line.replaceAll(/\[\d+\]/g, '[]')) ?? []) {
      const place = stepPlace(gate.path, indexes);
      if (!skipped.has(place))
        expect({ line, asked: lines.indexOf(`? ${place}`) < index && lines.includes(`? ${place}`) }).toEqual({
          line,
          asked: true,
        });
    }
  }
  return { saidDone };
}
