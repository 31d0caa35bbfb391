import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls, createScriptedModel, fails, says } from '../../test/fakes/scripted-stream.ts';
import { createAgent } from './create-agent.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (piece: Buffer) => {
    body += piece.toString();
  });
  request.on('end', () => {
    asked.push(
      `${request.url} ${request.headers.authorization} ${(JSON.parse(body) as { model: string }).model}`,
    );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const piece = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'r1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.end(
      `${piece({ content: 'Hel' })}${piece({ content: 'lo' })}${piece({}, 'stop')}data: [DONE]\n\n`,
    );
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

describe('createAgent', () => {
  it('calls a provider at a custom address with its key', async () => {
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const agent = createAgent({
      model: { provider: 'openai-compatible', name: 'small', baseUrl, apiKey: 'k1' },
    });
    expect(await agent.ask('hi')).toBe('Hello');
    expect(asked).toEqual(['/v1/chat/completions Bearer k1 small']);
  });

  it('reports a missing model, provider or stream', () => {
    expect(() => createAgent({})).toThrow('a `stream` of your own');
    expect(() => createAgent({ model: { provider: 'nobody' } })).toThrow("no provider 'nobody'");
    expect(() => createAgent({ model: { provider: 'ollama' } })).toThrow('Name a model');
  });

  it('rejects on a failed model reply and keeps the messages', async () => {
    const { stream } = createScriptedModel([fails('no such model')]);
    const agent = createAgent({ stream });
    await expect(agent.ask('hi')).rejects.toThrow('no such model');
    expect(agent.state.messages).toHaveLength(2);
  });

  it('runs plain functions as tools, reports progress and checks their arguments', async () => {
    const { stream } = createScriptedModel([
      calls(['c1', 'tick', {}], ['c2', 'tick', { x: 1 }]),
      says('done'),
    ]);
    const told: string[] = [];
    const agent = createAgent({
      stream,
      tools: [
        {
          name: 'tick',
          description: 'Ticks.',
          run: (_args, { progress }) => {
            progress('half');
            return 'tock';
          },
        },
      ],
    });
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_update' || event.type === 'tool_execution_end')
        told.push(event.type);
    });
    expect(await agent.ask('go')).toBe('done');
    expect(told.sort()).toEqual(['tool_execution_end', 'tool_execution_end', 'tool_execution_update']);
    expect(agent.state.messages[3]).toMatchObject({ isError: true });
  });
});
