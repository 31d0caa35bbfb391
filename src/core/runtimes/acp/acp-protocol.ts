/** Programs that speak the Agent Client Protocol. */
import type { UserContent } from '../../models/messages.ts';
import type { ProgramProtocol, SessionTurn, SessionTurnEnd } from '../program/program-ports.ts';
import type { ConnectAcp } from './acp-ports.ts';
import { AcpSession } from './acp-session.ts';
import { AcpTurn } from './acp-turn.ts';

export interface AcpProgramFacts {
  /** Marks sessions in the transcript. */
  readonly id: string;
  /** Mode in which the program asks; `null` if it has none. */
  readonly mode: string | null;
}

export const createAcpProtocol = (
  { id, mode }: AcpProgramFacts,
  connect: ConnectAcp,
): ProgramProtocol<AcpSession> => ({
  id,
  connect: ({ clock, log }, facts, program) => new AcpSession({ clock, log, connect }, facts, program),
  async run(deps, turn) {
    const acp = new AcpTurn(deps, turn, mode);
    // A program lists the tools of the host while it starts.
    turn.session.offer(acp.tools);
    try {
      return await runTurn(acp, mode, turn);
    } finally {
      turn.session.offer(null);
    }
  },
});

async function runTurn(
  acp: AcpTurn,
  mode: string | null,
  { live, session, setup, isFresh, plan, given }: SessionTurn<AcpSession>,
): Promise<SessionTurnEnd> {
  if (isFresh) {
    const { sessionId } = plan;
    const where = { cwd: setup.cwd, title: setup.title };
    const opened = await endedBy(live.abort.signal, session, () =>
      session.open({ sessionId, mode, ...where }),
    );
    const isLost = opened.ok && opened.value === 'lost';
    if (!opened.ok) await session.end();
    if (!opened.ok || isLost)
      return {
        said: [],
        error: opened.ok ? null : opened.error,
        isSessionUnknown: isLost,
        isProgramGone: !opened.ok && session.hasDied,
      };
  }
  given(session.sessionId);
  await acp.run(isFresh ? [...instructions(live.parts.turn.system), ...plan.content] : plan.content);
  const { record, end, isProgramGone } = acp;
  return { said: record.said, error: end.error, isSessionUnknown: false, isProgramGone };
}

/** A program that is still starting cannot be asked to stop, so an abort ends it. */
async function endedBy<Opened>(
  signal: AbortSignal,
  session: AcpSession,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const end = (): void => void session.end();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await open();
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The protocol has no place for a prompt of the system, so each process gets it with its first message. */
const instructions = (system: string): readonly UserContent[] =>
  system === '' ? [] : [{ type: 'text', text: system }];
