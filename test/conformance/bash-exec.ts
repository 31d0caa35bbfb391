/**
 * The safe shell against recorded cases, on real folders and programs. Strict: what is denied starts no process and is
 * also denied when somebody says yes; what is asked for is refused where nobody can be asked.
 */
import { existsSync, lstatSync } from 'node:fs';
import { z } from 'zod';
import { parseCommand } from '../../src/core/policy/commands/parse-command.ts';
import type {
  ProcessPort,
  ProcessRequest,
  SandboxPort,
  Tool,
  ToolOutput,
} from '../../src/core/tool-ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { findBubblewrap } from '../../src/services/executors/bubblewrap.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { createBashExecTool } from '../../src/services/tools/bash/bash-exec-tool.ts';
import type { BashDetails } from '../../src/services/tools/bash/bash-result.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { isWindowsTrap } from '../../src/services/tools/confined/windows-names.ts';
import { toolContext } from '../fakes/tool-context.ts';
import { type BashCase, type BashWorld, bashCase, buildWorld, type Outcome } from './bash-exec-world.ts';
import { type CaseResult, expectSame, expectTrue, type FileSuite } from './case.ts';

interface Recorder extends ProcessPort {
  readonly started: ProcessRequest[];
}

function recorder(): Recorder {
  const port = createProcessPort({ clock: createSystemClock() });
  const started: ProcessRequest[] = [];
  return {
    started,
    run: (request, signal) => {
      started.push(request);
      return port.run(request, signal);
    },
  };
}

/** What stands in the approver's text, done; true is a yes. */
function answer(text: string | undefined, world: BashWorld): boolean {
  if (text === undefined) return true;
  const swap = /^replaces (.+) by a symlink to (.+), then says yes$/.exec(text);
  if (swap) {
    world.swap(world.fill(swap[1] ?? ''), world.fill(swap[2] ?? ''));
    return true;
  }
  if (/^(none|false|null|undefined|0|throws|rejects)/.test(text)) return false;
  if (/yes|true/.test(text)) return true;
  throw new Error(`an approver that ${text}`);
}

interface Ran {
  readonly outcome: Outcome;
  readonly risk: string;
  readonly output: ToolOutput | null;
}

const detailsOf = (output: ToolOutput | null): BashDetails | null =>
  (output?.details as BashDetails | undefined) ?? null;

async function runTool(tool: Tool, one: BashCase, world: BashWorld): Promise<Ran> {
  const args = {
    cmd: world.fill(one.cmd),
    ...(one.cwd === undefined ? {} : { cwd: world.fill(one.cwd) }),
    ...one.params,
  };
  const context = toolContext();
  const assessment = await tool.assess(args, context);
  const { risk } = assessment;
  if (assessment.blocked) return { outcome: 'deny', risk, output: null };
  const asks = risk !== 'low';
  if (asks && !answer(one.approver, world)) return { outcome: 'deny', risk, output: null };
  const output = await tool.execute(args, context);
  const outcome = detailsOf(output)?.blocked ? 'deny' : asks ? 'approval' : 'allow';
  return { outcome, risk, output };
}

function checkLimits(one: BashCase, output: ToolOutput | null, ms: number, memoryMiB: number): void {
  const { limits } = one;
  const details = detailsOf(output);
  expectTrue(ms <= (limits.mustReturnWithinMs ?? 30_000), `took ${Math.round(ms)} ms`);
  expectTrue(memoryMiB <= (limits.extraMemoryMiBAtMost ?? 512), `took ${Math.round(memoryMiB)} MiB`);
  if (!details) return;
  if (limits.outputCharsAtMost !== undefined)
    expectTrue(details.stdout.length + details.stderr.length <= limits.outputCharsAtMost, 'too much output');
  if (limits.truncated !== undefined) expectSame(details.truncated, limits.truncated, 'truncated');
}

function checkOutcome(one: BashCase, ran: Ran, started: readonly ProcessRequest[]): void {
  const accepted = [one.expected, ...one.alsoAccept];
  const why = detailsOf(ran.output)?.block_reason ?? '';
  expectTrue(accepted.includes(ran.outcome), `${ran.outcome} ${why}, not ${accepted.join(' or ')}`);
  if (ran.outcome === 'deny') expectSame(started.length, 0, 'processes started');
  else if (one.risk) expectSame(ran.risk, one.risk, 'risk');
  const details = detailsOf(ran.output);
  if (['ok', 'env'].includes(one.class) && ran.outcome !== 'deny')
    expectTrue(details?.ok === true, `failed: ${details?.stderr ?? ''}`);
  for (const { env } of started)
    for (const name of one.childEnvMustNotContain)
      expectTrue(!Object.hasOwn(env, name), `${name} in the child`);
}

const isThere = (path: string): boolean => existsSync(path) || !!lstatSync(path, { throwIfNoEntry: false });

/** Memory that is not given back at once counts: sampled while the call runs. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return () => {
    clearInterval(timer);
    return (Math.max(most, process.memoryUsage.rss()) - before) / 1024 / 1024;
  };
}

async function runCase(one: BashCase, findSandbox: (process: ProcessPort) => Promise<SandboxPort | null>) {
  const world = buildWorld(one.setup);
  try {
    const process = recorder();
    const ports = {
      files: createConfinedFiles({
        cwd: world.root,
        readable: [world.root, world.readOnly],
        writable: [world.root],
      }),
      process,
      clock: createSystemClock(),
    };
    const sandbox = await findSandbox(process);
    process.started.length = 0;
    const memory = watchMemory();
    const begun = performance.now();
    const ran = await runTool(createBashExecTool({ ...ports, sandbox }), one, world);
    checkLimits(one, ran.output, performance.now() - begun, memory());
    checkOutcome(one, ran, process.started);
    for (const path of one.mustNotExist) expectTrue(!isThere(world.fill(path)), `${path} exists`);
    for (const path of one.mustExist) expectTrue(isThere(world.fill(path)), `${path} is gone`);
    if (ran.outcome !== 'approval') return;
    const mute = createBashExecTool({ ...ports, limits: { approvals: false } });
    expectSame((await runTool(mute, one, world)).outcome, 'deny', 'where nobody can be asked');
  } finally {
    world.dispose();
  }
}

/** What a case for another system says about the rule that holds there. */
function otherPlatform(one: BashCase): void {
  const parsed = parseCommand(one.cmd);
  const paths = parsed.ok ? [...parsed.value.reads, ...parsed.value.writes] : [];
  expectTrue(!parsed.ok || paths.some(isWindowsTrap), 'the path is taken for a file');
}

async function judge(raw: unknown, run: (one: BashCase) => Promise<void>): Promise<CaseResult> {
  const parsed = bashCase.safeParse(raw);
  if (!parsed.success) return { name: '?', why: `cannot be read: ${parsed.error.issues[0]?.message}` };
  const one = parsed.data;
  try {
    if (one.platform !== undefined && one.platform !== process.platform) otherPlatform(one);
    else await run(one);
    return { name: one.id, why: null };
  } catch (error) {
    return {
      name: one.id,
      why: error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error),
    };
  }
}

/** `sandbox`: with the system's own sandbox around programs, or without any. */
export const bashExecSuite =
  (sandbox: boolean): FileSuite =>
  async (file) => {
    const { cases } = z.object({ cases: z.array(z.unknown()).min(1) }).parse(file);
    const results: CaseResult[] = [];
    const find = (process: ProcessPort) => (sandbox ? findBubblewrap({ process }) : Promise.resolve(null));
    for (const raw of cases) results.push(await judge(raw, (one) => runCase(one, find)));
    return results;
  };
