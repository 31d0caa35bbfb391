/** Claude Code by its own stream protocol. */
import type { ProgramProtocol } from '../program/program-ports.ts';
import { hostServer } from './claude-calls.ts';
import { ClaudeSession } from './claude-session.ts';
import { ClaudeTurn } from './claude-turn.ts';

export const claudeProtocol: ProgramProtocol<ClaudeSession> = {
  id: 'claude-code',
  connect: ({ random }, facts, program) => new ClaudeSession(facts, program, random),
  async run(deps, { live, tools, setup, session, isFresh, plan, given }) {
    const turn = new ClaudeTurn(deps, live, tools, { session, setup });
    await turn.run(() => {
      if (isFresh) session.initialize([hostServer], live.parts.turn.system);
      given(session.facts.sessionId);
      turn.send(plan.content);
    });
    const { record, error, isSessionUnknown, isProgramGone } = turn;
    return { said: record.said, error, isSessionUnknown, isProgramGone };
  },
};
