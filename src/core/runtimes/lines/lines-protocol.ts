/**
 * Programs without a protocol, the last resort: one process per message, which reads it from its input, prints its
 * reply and ends. What it does meanwhile is not seen, so it runs behind a wall only.
 */
import { type AppError, textError } from '../../../contract/errors.ts';
import { say } from '../../../language/say.ts';
import type { UserContent } from '../../models/messages.ts';
import { modelError, programEnded } from '../program/program-errors.ts';
import type {
  ProgramDeps,
  ProgramProtocol,
  ProgramSession,
  SessionFacts,
  SessionTurn,
  StartedProgram,
} from '../program/program-ports.ts';
import { ProgramRecord } from '../program/program-record.ts';
import { ProgramTurnEnd } from '../program/turn-end.ts';
import type { LinesOutput } from './lines-output.ts';

/** Characters of the output that are kept; no reply is that long. */
const maxOutput = 1_000_000;

/** Of a session that a program does not have any more. */
const unknownSession = /session.{0,80}(not found|unknown|does not exist)|no (such )?session/i;

class LinesSession implements ProgramSession {
  readonly facts: SessionFacts;
  readonly program: StartedProgram;

  constructor(facts: SessionFacts, program: StartedProgram) {
    this.facts = facts;
    this.program = program;
  }

  /** A process answers once. */
  readonly isOver = true;

  end(): Promise<void> {
    return this.program.end();
  }
}

export const createLinesProtocol = (
  id: string,
  read: (stdout: string) => LinesOutput,
): ProgramProtocol<LinesSession> => ({
  id,
  connect: (_deps, facts, program) => new LinesSession(facts, program),
  run: (deps, turn) => runLines(deps, turn, read),
});

async function runLines(
  { clock, log }: ProgramDeps,
  { live, session, setup, plan, given }: SessionTurn<LinesSession>,
  read: (stdout: string) => LinesOutput,
) {
  const { process } = session.program;
  const record = new ProgramRecord(live, clock, { api: 'lines', provider: setup.provider });
  const lines: string[] = [];
  let code: number | null = null;
  const end = new ProgramTurnEnd({
    clock,
    title: setup.title,
    session,
    // It prints nothing before its reply.
    isBusy: () => true,
    interrupt: () => void session.end(),
  });
  const { signal } = live.abort;
  if (plan.sessionId !== null) given(plan.sessionId);
  await end.wait(signal, () => {
    process.write(promptOf(plan.sessionId === null ? live.parts.turn.system : '', plan.content));
    process.closeInput();
    void (async () => {
      let left = maxOutput;
      for await (const line of process.lines) {
        if (left > 0) lines.push(line.slice(0, left));
        left -= line.length + 1;
      }
      ({ code } = await process.exited);
      end.finish();
    })().catch(() => end.endProgram());
  });
  await session.end();
  const output = read(lines.join('\n'));
  const tail = process.stderrTail().slice(-2_000);
  const isSessionUnknown =
    plan.sessionId !== null && code !== 0 && unknownSession.test(`${output.reply}\n${tail}`);
  if (!signal.aborted)
    end.error ??= problemOf(output, code, () => programEnded(log, setup.title, code, tail));
  if (end.error === null && !signal.aborted) {
    // Hermes names its session on either output.
    const sessionId = output.sessionId || read(tail).sessionId;
    if (plan.sessionId === null && sessionId !== '') given(sessionId);
    const { model } = setup;
    record.assistant({
      messageId: 'm',
      model,
      blocks: [{ type: 'text', text: output.reply }],
      parentId: null,
    });
    record.close();
  }
  return { said: record.said, error: end.error, isSessionUnknown, isProgramGone: false };
}

function problemOf(
  { reply, error }: LinesOutput,
  code: number | null,
  ended: () => AppError,
): AppError | null {
  if (error !== '') return modelError(error, null);
  if (code !== 0) return ended();
  return reply === '' ? textError('model_error', say('workflows.modelGaveNoAnswer')) : null;
}

/** Images are not passed on. */
const promptOf = (system: string, content: readonly UserContent[]): string =>
  [system, ...content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`))]
    .filter((part) => part !== '')
    .join('\n\n');
