/** Programs that speak the Agent Client Protocol. */
import type { UserContent } from '../../models/messages.ts';
import type { ProgramProtocol } from '../program/program-ports.ts';
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
    const { live, session, setup, isFresh, plan, given } = turn;
    if (isFresh) {
      const { sessionId } = plan;
      const opened = await session.open({ sessionId, cwd: setup.cwd, mode, title: setup.title });
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
    const acp = new AcpTurn(deps, turn, mode);
    given(session.sessionId);
    await acp.run(isFresh ? [...instructions(live.parts.turn.system), ...plan.content] : plan.content);
    const { record, end, isProgramGone } = acp;
    return { said: record.said, error: end.error, isSessionUnknown: false, isProgramGone };
  },
});

/** The protocol has no place for a prompt of the system, so each process gets it with its first message. */
const instructions = (system: string): readonly UserContent[] =>
  system === '' ? [] : [{ type: 'text', text: system }];
