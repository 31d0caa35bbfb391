import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { AgentToolCalls } from './agent-tool-calls.ts';
import { createMcpHandlers } from './mcp-handlers.ts';
import { RunningCalls } from './running-calls.ts';

const guide = { kind: 'agent', id: 'guide' } as const;
const checker = { kind: 'agent', id: 'checker' } as const;

const noAgents = {} as AgentStore;

/** Tools that answer only when their call is cancelled. */
function make() {
  const running = new RunningCalls();
  const stopped = new AbortController();
  const tools: AgentToolCalls = {
    list: async () => ok([]),
    call: (agentId, { callId }, signal) =>
      new Promise((resolve) => {
        const text = `${agentId} ${callId} ended`;
        const end = () => resolve(ok({ content: [{ type: 'text', text }], isError: true }));
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      }),
  };
  const access = () => Promise.reject(new Error('no access is asked for here'));
  const mcp = { running, stopped: stopped.signal, access };
  const handlers = createMcpHandlers({ agents: noAgents, mcp, calls: async () => tools });
  const call = (callId: string, principal = guide as typeof guide | typeof checker) =>
    handlers['agentTools.call']({ callId, name: 'whoami', args: {} }, principal);
  return { running, handlers, call, stop: () => stopped.abort() };
}

it('Cancelling a tool call ends only the call of that agent with that id', async () => {
  const { running, handlers, call } = make();
  const one = call('1');
  const others = call('1', checker);
  await handlers['agentTools.cancel']({ callId: '1' }, guide);
  expect(await one).toMatchObject({ value: { content: [{ text: 'guide 1 ended' }] } });
  expect(running.turns('guide')).toEqual([]);
  expect(running.turns('checker')).toEqual(['mcp_1']);
  await handlers['agentTools.cancel']({ callId: '1' }, checker);
  expect(await others).toMatchObject({ ok: true });
});

it('MCP calls are limited to 32 per agent, and an id cannot run twice at once', async () => {
  const { running, call, stop } = make();
  const calls = Array.from({ length: 32 }, (_, n) => call(`${n}`));
  expect(await call('more')).toMatchObject({ error: { code: 'rate_limited' } });
  const other = call('0', checker);
  expect(await call('0', checker)).toMatchObject({ error: { code: 'conflict' } });
  stop();
  await Promise.all([...calls, other]);
  expect([running.count('guide'), running.count('checker')]).toEqual([0, 0]);
});
