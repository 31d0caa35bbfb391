import { describe, expect, it } from 'vitest';
import { readClaudeLine } from './claude-events.ts';
import { allowLine, denyLine, initializeLine, userLine } from './claude-requests.ts';

const read = (message: object) => readClaudeLine(JSON.stringify(message));

// Shortened from what Claude Code 2.1.330 wrote.
const recorded = {
  init: {
    type: 'system',
    subtype: 'init',
    cwd: '/w',
    session_id: 's1',
    tools: ['Bash'],
    model: 'm1',
    permissionMode: 'default',
  },
  retry: {
    type: 'system',
    subtype: 'api_retry',
    attempt: 2,
    max_retries: 2,
    retry_delay_ms: 1076,
    error_status: 401,
    error: 'authentication_failed',
    session_id: 's1',
  },
  start: {
    type: 'stream_event',
    event: { type: 'message_start', message: { id: 'msg_1', model: 'm1', usage: { input_tokens: 10 } } },
    parent_tool_use_id: null,
  },
  delta: {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will.' } },
    parent_tool_use_id: null,
  },
  json: {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{' } },
    parent_tool_use_id: null,
  },
  stop: {
    type: 'stream_event',
    event: { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    parent_tool_use_id: null,
  },
  call: {
    type: 'assistant',
    message: {
      id: 'msg_1',
      model: 'm1',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'echo hi' } },
      ],
    },
    parent_tool_use_id: null,
  },
  asked: {
    type: 'control_request',
    request_id: 'r1',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'echo hi' },
      description: 'd',
      tool_use_id: 'toolu_1',
    },
  },
  result: {
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: 'toolu_1', type: 'tool_result', content: 'hi', is_error: false }],
    },
    parent_tool_use_id: null,
  },
  replay: {
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    parent_tool_use_id: null,
    isReplay: true,
  },
  end: {
    type: 'result',
    subtype: 'success',
    is_error: true,
    result: 'API Error: 400',
    terminal_reason: 'api_error',
    total_cost_usd: 0.5,
    usage: {
      input_tokens: 20,
      output_tokens: 10,
      cache_read_input_tokens: 4,
      cache_creation_input_tokens: 0,
    },
  },
};

describe('Standard output of Claude Code', () => {
  it('becomes events, in order and without what is of no use', () => {
    expect(Object.values(recorded).flatMap(read)).toEqual([
      { type: 'started', sessionId: 's1', mode: 'default', model: 'm1' },
      { type: 'retry', attempt: 2, inMs: 1076, status: 401 },
      {
        type: 'request_started',
        model: 'm1',
        usage: { input: 10, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
      { type: 'text_delta', text: 'I will.' },
      {
        type: 'request_ended',
        stop: 'tool_use',
        usage: { input: 0, output: 5, cacheRead: 0, cacheWrite: 0 },
      },
      {
        type: 'assistant',
        messageId: 'msg_1',
        model: 'm1',
        blocks: [{ type: 'toolCall', id: 'toolu_1', name: 'Bash', arguments: { command: 'echo hi' } }],
        parentId: null,
      },
      { type: 'permission', requestId: 'r1', tool: 'Bash', input: { command: 'echo hi' }, callId: 'toolu_1' },
      {
        type: 'tool_result',
        callId: 'toolu_1',
        content: [{ type: 'text', text: 'hi' }],
        isError: false,
        parentId: null,
      },
      { type: 'taken' },
      {
        type: 'result',
        subtype: 'success',
        isError: true,
        text: 'API Error: 400',
        reason: 'api_error',
        totalUsd: 0.5,
        usage: { input: 20, output: 10, cacheRead: 4, cacheWrite: 0 },
      },
    ]);
  });

  it('ignores noise, unknown messages and messages of another shape', () => {
    const lines = [
      '',
      'npm warn something',
      '{"type":"assistant"',
      '{"type":"telemetry","x":1}',
      '{"type":"constructor"}',
      '{"type":"assistant","message":{"id":7}}',
      '[1]',
      'null',
      `{"type":"assistant","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    ];
    expect(lines.flatMap(readClaudeLine)).toEqual([]);
  });

  it('shows no partial text of a sub-agent, and keeps its calls apart', () => {
    expect(read({ ...recorded.delta, parent_tool_use_id: 'toolu_0' })).toEqual([]);
    expect(read({ ...recorded.call, parent_tool_use_id: 'toolu_0' })).toMatchObject([
      { parentId: 'toolu_0' },
    ]);
  });

  it('reports a request that it cannot read, so that it is refused and not left open (T14)', () => {
    const broken = { ...recorded.asked.request, input: 'echo hi' };
    expect(read({ ...recorded.asked, request: broken })).toEqual([
      { type: 'other_request', requestId: 'r1', subtype: 'can_use_tool' },
    ]);
    expect(read({ type: 'control_request', request_id: 'r2', request: { subtype: 'new_thing' } })).toEqual([
      { type: 'other_request', requestId: 'r2', subtype: 'new_thing' },
    ]);
  });
});

describe('Standard input of Claude Code', () => {
  it('is one line per message, whatever the text', () => {
    const lines = [
      userLine([{ type: 'text', text: 'a\nb\u2028c' }]),
      allowLine('r1', { command: 'printf "\n"' }),
      denyLine('r1', 'not\ntoday'),
      initializeLine('i1', ['puffo'], 'You are\nGuide'),
    ];
    for (const line of lines) expect(line).not.toContain('\n');
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      response: {
        request_id: 'r1',
        response: { behavior: 'allow', updatedInput: { command: 'printf "\n"' } },
      },
    });
  });

  it('names an image of a type that the model cannot read', () => {
    const line = userLine([{ type: 'image', data: 'AA==', mimeType: 'image/tiff' }]);
    expect(line).toContain('[image/tiff]');
    expect(line).not.toContain('AA==');
  });
});
