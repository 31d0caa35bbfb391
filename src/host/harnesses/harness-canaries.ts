/** Runs the canary of an installed agent program, and keeps its result with the version. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import {
  type HarnessCanary,
  type HarnessId,
  harnessCanarySchema,
  harnessFacts,
} from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import type { HarnessProcessPort } from '../../core/runtimes/harness-ports.ts';
import { recordFile } from '../stores/record-file.ts';
import { agentSdkRecipe, claudeRecipe } from './claude-recipe.ts';
import type { FoundHarness } from './find-harnesses.ts';
import { installFolders, type ProgramRecipe } from './program-recipe.ts';

/** More than the script of the canary has. */
const canaryTurns = 20;

const fileSchema = z.record(z.string(), harnessCanarySchema);

export interface HarnessCanaries {
  /** The result of this version, or `null` if it was not tested. */
  of(id: HarnessId, version: string | null): HarnessCanary | null;
  /** Like `of`; a program that was tested in another version is tested again first. */
  renewed(id: HarnessId, version: string | null): Promise<HarnessCanary | null>;
  run(id: HarnessId): Promise<Result<HarnessCanary>>;
}

export interface HarnessCanaryDeps {
  readonly disk: DiskPort;
  readonly path: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly find: (id: HarnessId) => Promise<FoundHarness>;
  readonly processes: () => Promise<HarnessProcessPort>;
}

export function createHarnessCanaries(deps: HarnessCanaryDeps): HarnessCanaries {
  const file = recordFile(deps.disk, deps.path, fileSchema);
  const read = (): Readonly<Record<string, HarnessCanary>> => {
    const found = file.read();
    return (found.ok && found.value) || {};
  };
  /** Tests under way: agents of one program wait for the same one. */
  const running = new Map<HarnessId, Promise<Result<HarnessCanary>>>();
  const canaries: HarnessCanaries = {
    of(id, version) {
      const known = read()[id];
      return known && known.version === version ? known : null;
    },
    async renewed(id, version) {
      const known = read()[id];
      if (!known || version === null || known.version === version) return known ?? null;
      const test = running.get(id) ?? canaries.run(id).finally(() => running.delete(id));
      running.set(id, test);
      const ran = await test;
      return ran.ok ? ran.value : null;
    },
    async run(id) {
      const { title, installCommand } = harnessFacts(id);
      const recipe = [claudeRecipe, agentSdkRecipe].find(({ harness }) => harness === id);
      if (!recipe) return err(fail('unsupported', 'harness.noCanary', { title }));
      const found = await deps.find(id);
      const { program, entry, version } = found.view;
      if (program === null || entry === null || version === null)
        return err(fail('not_found', 'agents.programMissing', { title, command: installCommand }));
      const passed = await runClaude(deps, recipe, { program, entry, path: found.path });
      if (!passed.ok) return passed;
      const canary: HarnessCanary = { version, at: deps.clock.now(), passed: [...passed.value] };
      const written = file.write({ ...read(), [id]: canary });
      return written.ok ? ok(canary) : written;
    },
  };
  return canaries;
}

async function runClaude(
  { clock, random, processes }: HarnessCanaryDeps,
  recipe: ProgramRecipe,
  { program, entry, path }: { readonly program: string; readonly entry: string; readonly path: string },
): Promise<Result<HarnessCanary['passed']>> {
  const [{ canaryReply, runClaudeCanary }, { openScriptedMessages }] = await Promise.all([
    import('../../core/runtimes/claude/claude-canary.ts'),
    import('../../services/harnesses/scripted-messages.ts'),
  ]);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-canary-')));
  const model = await openScriptedMessages(clock, (request) => canaryReply(request, folder));
  if (!model.ok) return model;
  try {
    const port = await processes();
    // A home of its own, so that no setting or login of the operator takes part.
    const { args, env } = await recipe.prepare({
      entry,
      program,
      folders: { home: folder, config: join(folder, 'config'), tmp: folder },
      choice: null,
      model: '',
      maxTurns: canaryTurns,
      command: [],
      access: { url: model.value.url, token: 'canary' },
      sessionId: random.uuid(),
      isNew: true,
      userHome: folder,
      cwd: folder,
      hasWall: false,
    });
    const started = await port.start({
      agentId: 'canary',
      argv: [entry, ...args],
      env: { PATH: `${dirname(entry)}:${path}`, HOME: folder, TMPDIR: folder, ...env },
      cwd: folder,
      wall: (await port.hasWalls())
        ? {
            readable: [program, entry].flatMap(installFolders),
            writable: [folder],
            hidden: [],
            // The scripted model listens on loopback.
            network: 'open',
            model: null,
          }
        : null,
    });
    if (!started.ok) return started;
    const process = started.value;
    const readFile = (name: string): string | null => {
      const file = join(folder, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    };
    const passed = await runClaudeCanary({ process, readFile, clock, random });
    await process.end();
    return ok([...passed]);
  } finally {
    await model.value.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
