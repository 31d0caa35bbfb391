/**
 * Runs the safe shell against recorded cases, on real folders and programs. Strict: a denied command starts
 * no process and is denied even if approved; a command that needs approval is refused without an operator.
 */
import { existsSync, lstatSync } from 'node:fs';
import { z } from 'zod';
import type { Approval } from '../../src/contract/approvals.ts';
import { gateVerdict } from '../../src/core/loop/tool-adapter.ts';
import { validateArguments } from '../../src/core/loop/validate-arguments.ts';
import type { FileRoots } from '../../src/core/policy/assessment.ts';
import { parseCommand } from '../../src/core/policy/commands/parse-command.ts';
import type { ProcessPort, ProcessRequest, SandboxPort } from '../../src/core/tools/process-ports.ts';
import type { Tool, ToolOutput } from '../../src/core/tools/tool.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { findBubblewrap } from '../../src/services/executors/bubblewrap.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { isWindowsTrap } from '../../src/services/tools/confined/windows-names.ts';
import { createBashExecTool } from '../../src/services/tools/restricted-commands/bash-exec-tool.ts';
import { bashSettings } from '../../src/services/tools/restricted-commands/bash-limits.ts';
import type { BashDetails } from '../../src/services/tools/restricted-commands/bash-result.ts';
import { createApprovalRig } from '../fakes/approval-rig.ts';
import { samplePolicy } from '../fakes/policy-samples.ts';
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

/** Applies the recorded answer text; `true` approves. */
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
  /** Risk from the approval request, or from the tool's assessment without one. */
  readonly risk: string;
  readonly output: ToolOutput | null;
  readonly questions: readonly Approval[];
}

const detailsOf = (output: ToolOutput | null): BashDetails | null =>
  (output?.details as BashDetails | undefined) ?? null;

const once = { type: 'allow', scope: 'once' } as const;

/** The operator: answers each request of the real approval centre as the case says. */
function operator(one: BashCase, world: BashWorld, roots: FileRoots) {
  const rig = createApprovalRig();
  rig.policy = samplePolicy({ roots, protectedRoots: [], ownRoots: [world.root] });
  const questions: Approval[] = [];
  rig.listener = (approval) => {
    if (approval.state !== 'waiting' || questions.some(({ id }) => id === approval.id)) return;
    questions.push(approval);
    const given = answer(one.approver, world) ? once : ({ type: 'deny', reason: 'no' } as const);
    // The call starts to wait only after the request was published.
    setImmediate(() => rig.centre.decide(approval.id, given, { digest: approval.digest, surface: 'window' }));
  };
  return { gate: rig.centre, questions, close: () => rig.centre.close() };
}

/** Runs the tool as the loop does: arguments validated and frozen, assessed, assessed again, executed. */
async function runTool(tool: Tool, one: BashCase, world: BashWorld, roots: FileRoots): Promise<Ran> {
  const context = toolContext();
  const { callId } = context;
  const written = {
    cmd: world.fill(one.cmd),
    ...(one.cwd === undefined ? {} : { cwd: world.fill(one.cwd) }),
    ...one.params,
  };
  const args = validateArguments(tool, { arguments: written });
  if (!args.ok) return { outcome: 'deny', risk: '', output: null, questions: [] };
  const { gate, questions, close } = operator(one, world, roots);
  try {
    const { risk } = await tool.assess(args.value, context);
    const facts = () => ({ agentId: context.agentId, turnId: context.turnId, threadKey: context.threadKey });
    const parts = { tools: [tool], gate, facts, tainted: () => false };
    const call = { callId, name: tool.name, args: args.value, justification: '' };
    const refused = await gateVerdict(parts, call, context.signal);
    if (refused?.block) return { outcome: 'deny', risk, output: null, questions };
    const output = await tool.execute(args.value, context);
    const ran = questions.length > 0 ? 'approval' : 'allow';
    return { outcome: detailsOf(output)?.blocked ? 'deny' : ran, risk, output, questions };
  } finally {
    close();
  }
}

/** Fields of the approval request under the names of the studied tool, which adds no `--` before operands. */
function requestOf({ argsJson, effects = [], ...approval }: Approval): Readonly<Record<string, unknown>> {
  const args = JSON.parse(argsJson) as Record<string, unknown>;
  const run = effects.find((effect) => effect.kind === 'run');
  const command = {
    command: args.cmd,
    cmd: args.cmd,
    argv: run?.argv.filter((word) => word !== '--'),
    cwd: run?.cwd ?? approval.where,
  };
  return { ...approval, effects, ...command, justification: args.justification ?? '' };
}

function checkRequest(one: BashCase, world: BashWorld, [question]: readonly Approval[]): void {
  if (one.approvalRequestFields.length === 0) return;
  expectTrue(question !== undefined, 'nobody was asked');
  const told = question ? requestOf(question) : {};
  for (const [name, value] of one.approvalRequestFields) {
    expectTrue(told[name] !== undefined, `the question has no ${name}`);
    if (value !== null) expectSame(told[name], JSON.parse(world.fill(JSON.stringify(value))), name);
  }
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

/** Samples memory during the work, because memory that is freed later counts, too. */
async function measured<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number; readonly memoryMiB: number }> {
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 20);
  try {
    const value = await work();
    look();
    return { value, ms: performance.now() - begun, memoryMiB: (most - before) / 1024 / 1024 };
  } finally {
    clearInterval(timer);
  }
}

async function runCase(one: BashCase, findSandbox: (process: ProcessPort) => Promise<SandboxPort | null>) {
  const world = buildWorld(one.setup);
  try {
    const port = recorder();
    // As for an agent of the host, environment variables override its file.
    const settings = bashSettings({}, process.env);
    const roots = {
      cwd: world.root,
      readable: [world.root, world.readOnly, ...settings.allowedRoots],
      writable: [world.root, ...settings.writableRoots],
    };
    const ports = { files: createConfinedFiles(roots), process: port, clock: createSystemClock() };
    const sandbox = await findSandbox(port);
    port.started.length = 0;
    const tool = createBashExecTool({ ...ports, sandbox, limits: settings });
    const { value: ran, ms, memoryMiB } = await measured(() => runTool(tool, one, world, roots));
    checkLimits(one, ran.output, ms, memoryMiB);
    checkOutcome(one, ran, port.started);
    checkRequest(one, world, ran.questions);
    for (const path of one.mustNotExist) expectTrue(!isThere(world.fill(path)), `${path} exists`);
    for (const path of one.mustExist) expectTrue(isThere(world.fill(path)), `${path} is gone`);
    if (ran.outcome !== 'approval') return;
    const limits = bashSettings({}, { ...process.env, POP_AGENT_BASH_PROMPT_APPROVAL: 'false' });
    const mute = createBashExecTool({ ...ports, limits });
    expectSame((await runTool(mute, one, world, roots)).outcome, 'deny', 'where nobody can be asked');
  } finally {
    world.dispose();
  }
}

/** Checks the parsing of a case for another operating system, whose rule does not apply here. */
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

/** `sandbox`: runs programs with the system's sandbox, or without any. */
export const bashExecSuite =
  (sandbox: boolean): FileSuite =>
  async (file) => {
    const { cases } = z.object({ cases: z.array(z.unknown()).min(1) }).parse(file);
    const results: CaseResult[] = [];
    const find = (process: ProcessPort) => (sandbox ? findBubblewrap({ process }) : Promise.resolve(null));
    for (const raw of cases) results.push(await judge(raw, (one) => runCase(one, find)));
    return results;
  };
