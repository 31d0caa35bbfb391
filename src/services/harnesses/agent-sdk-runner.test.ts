import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { agentSdkArgs } from './agent-sdk-runner.ts';

const library = join(import.meta.dirname, '../../../test/fakes/fake-agent-sdk.ts');

type Json = Readonly<Record<string, unknown>>;
interface Asked {
  readonly subtype: string;
  readonly tool_name?: string;
  readonly input?: Json;
}

let end = (): void => undefined;
afterEach(() => end());

/** Runs steps of the fake library; `decide` answers each request of the runner. */
async function runSdk(steps: readonly Json[], decide: (asked: Asked) => Json = () => ({ behavior: 'deny' })) {
  const args = agentSdkArgs({ library, options: { maxTurns: 3 }, free: ['TodoWrite', 'mcp__puffo__*'] });
  const child = spawn(process.execPath, [...args], { stdio: 'pipe' });
  end = () => void child.kill('SIGKILL');
  const write = (message: Json): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const asked: Asked[] = [];
  const said: Json[] = [];
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += String(data);
  });
  const initialize = { subtype: 'initialize', sdkMcpServers: ['puffo'], appendSystemPrompt: 'Be kind.' };
  write({ type: 'control_request', request_id: 'i', request: initialize });
  write({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: JSON.stringify(steps) }] },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as Json;
    if (message.type === 'control_request') {
      const request = message.request as Asked;
      asked.push(request);
      const response = { subtype: 'success', request_id: message.request_id, response: decide(request) };
      write({ type: 'control_response', response });
    } else said.push(message);
    if (message.type === 'result') child.stdin.end();
  }
  return { asked, said, code: await exited, errors };
}

const ran = (said: readonly Json[]) => said.filter(({ type }) => type === 'ran').map(({ input }) => input);
const bash = (command: string, id = 't1') => ({ id, tool: 'Bash', input: { command } });

describe('Runner of the Claude Agent SDK', () => {
  it('asks once for a call that both a hook and a permission ask for, and runs it as it was rewritten', async () => {
    const { asked, said, code } = await runSdk([bash('ls')], () => ({
      behavior: 'allow',
      updatedInput: { command: 'ls -l' },
    }));
    expect(asked).toEqual([
      { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' },
    ]);
    expect(ran(said)).toEqual([{ command: 'ls -l' }]);
    expect(code).toBe(0);
  });

  it('does not run what was denied', async () => {
    const { asked, said } = await runSdk([bash('ls')]);
    expect(asked).toHaveLength(1);
    expect(ran(said)).toEqual([null]);
  });

  it('asks again if another call has the id of an allowed one', async () => {
    const allow = ({ input = {} }: Asked) => ({ behavior: 'allow', updatedInput: input });
    const { asked, said } = await runSdk([bash('ls'), bash('rm -rf x')], allow);
    expect(asked.map(({ input }) => input?.command)).toEqual(['ls', 'rm -rf x']);
    expect(ran(said)).toEqual([{ command: 'ls' }, { command: 'rm -rf x' }]);
  });

  it('leaves tools without an effect to the permission of the library', async () => {
    const { asked } = await runSdk([{ id: 't1', tool: 'TodoWrite', input: {} }]);
    expect(asked).toHaveLength(1);
  });

  it('passes the prompt, the limit, and the messages of the server of the host', async () => {
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
    const { asked, said } = await runSdk([{ mcp: message }], () => ({
      mcp_response: { jsonrpc: '2.0', id: 0, result: { tools: [] } },
    }));
    expect(asked).toEqual([{ subtype: 'mcp_message', server_name: 'puffo', message }]);
    expect(said).toContainEqual({
      type: 'mcp_result',
      result: { jsonrpc: '2.0', id: 7, result: { tools: [] } },
    });
    expect(said).toContainEqual({ type: 'system', subtype: 'init', append: 'Be kind.', maxTurns: 3 });
  });

  it('ends with an error if the library does, and says why', async () => {
    const { code, errors } = await runSdk([{ throw: 'No conversation found' }]);
    expect(code).toBe(1);
    expect(errors).toContain('No conversation found');
  });
});
