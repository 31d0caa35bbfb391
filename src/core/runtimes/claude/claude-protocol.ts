/** Claude Code by its own stream protocol, which the runner of its SDK speaks, too. */

import { hostServer } from '../program/host-tools.ts';
import type { ProgramProtocol } from '../program/program-ports.ts';
import { ClaudeSession } from './claude-session.ts';
import { ClaudeTurn } from './claude-turn.ts';

/** `id` marks sessions in the transcript: those of Claude Code and of its SDK are in different folders. */
export const createClaudeProtocol = (id: string): ProgramProtocol<ClaudeSession> => ({
  id,
  connect: ({ random }, facts, program) => new ClaudeSession(facts, program, random),
  async run(deps, started) {
    const { live, tools, session, isFresh, plan, given } = started;
    const turn = new ClaudeTurn(deps, live, tools, started);
    await turn.run(() => {
      if (isFresh) session.initialize([hostServer], live.parts.turn.system);
      given(session.facts.sessionId);
      turn.send(plan.content);
    });
    const { record, error, isSessionUnknown, isProgramGone } = turn;
    return { said: record.said, error, isSessionUnknown, isProgramGone };
  },
});
