import { describe, expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { MessageBuilder } from './message-builder.ts';

const make = () => new MessageBuilder({ api: 'a', provider: 'p', model: 'm', timestamp: 1 });
const kinds = (builder: MessageBuilder): string[] => builder.take().map((event) => event.type);
const failure = (code: 'unavailable' | 'cancelled') => ({
  error: textError(code, 'Broke.'),
  retryable: true,
});

describe('Message builder', () => {
  it('emits blocks in the order in which they begin, and one end', () => {
    const builder = make();
    builder.thinking(0, 'hm');
    builder.text('t', 'Hello');
    builder.text('t', ' you');
    builder.done('stop');
    builder.text('t', 'late');
    builder.fail(failure('unavailable'));
    expect(builder.take()).toMatchObject([
      { type: 'start' },
      { type: 'thinking_start', contentIndex: 0 },
      { type: 'thinking_delta', delta: 'hm' },
      { type: 'text_start', contentIndex: 1 },
      { type: 'text_delta', delta: 'Hello' },
      { type: 'text_delta', delta: ' you' },
      { type: 'thinking_end', contentIndex: 0 },
      { type: 'text_end', contentIndex: 1 },
      { type: 'done', reason: 'stop' },
    ]);
    expect(builder.partial.content).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hello you' },
    ]);
  });
  it('shows partial arguments while they arrive, and complete ones at the end', () => {
    const builder = make();
    builder.call(0, { id: 'c1', name: 'write' });
    builder.argumentsPiece(0, '{"path":"a.m');
    expect(builder.partial.content[0]).toMatchObject({ arguments: { path: 'a.m' } });
    builder.argumentsPiece(0, 'd"}');
    builder.done('stop');
    expect(builder.partial).toMatchObject({
      stopReason: 'toolUse',
      content: [{ id: 'c1', name: 'write', arguments: { path: 'a.md' } }],
    });
    expect(kinds(builder).slice(-2)).toEqual(['toolcall_end', 'done']);
  });
  it('F13 marks a call that was cut off, emits no end for it, and keeps the text before it', () => {
    const builder = make();
    builder.text(0, 'I will');
    builder.end(0);
    builder.call(1, { id: 'c1', name: 'rm' });
    builder.argumentsPiece(1, '{"path":"/"');
    builder.fail(failure('unavailable'));
    expect(kinds(builder)).not.toContain('toolcall_end');
    expect(builder.partial).toMatchObject({
      stopReason: 'error',
      errorMessage: 'Broke.',
      content: [{ text: 'I will' }, { argumentsError: 'The reply broke off inside this call.' }],
    });
  });
  it('F13 never turns broken arguments into arguments that run', () => {
    const builder = make();
    builder.call(0, { id: 'c1', name: 'rm' });
    builder.argumentsPiece(0, '{"path":');
    builder.done('toolUse');
    expect(builder.partial.content[0]).toHaveProperty('argumentsError');
  });
  it('reports an abort separately from an error', () => {
    const builder = make();
    builder.fail(failure('cancelled'));
    expect(builder.take()).toMatchObject([{ type: 'error', reason: 'aborted' }]);
  });
  it('gives calls unique ids', () => {
    const builder = make();
    for (const key of [0, 1, 2, 3]) builder.call(key, { id: key < 2 ? 'same' : '', name: 'f' });
    const ids = builder.partial.content.map((block) => (block.type === 'toolCall' ? block.id : ''));
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toBe('same');
  });
  it.each([
    (builder: MessageBuilder) => builder.thinking(0, 'x'),
    (builder: MessageBuilder) => builder.argumentsPiece(0, '{}'),
    (builder: MessageBuilder) => builder.call(0, { id: '', name: 'f' }),
    (builder: MessageBuilder) => builder.argumentsPiece('unknown', '{}'),
  ])('reports a stream that contradicts itself as a protocol breach (%#)', (act) => {
    const builder = make();
    builder.text(0, 'a');
    act(builder);
    expect(builder.breach).toMatchObject({ code: 'protocol' });
  });
  it('limits the size of a response', () => {
    const builder = make();
    for (let n = 0; n < 100 && !builder.breach; n += 1) builder.text(0, 'x'.repeat(100_000));
    expect(builder.breach).toMatchObject({ code: 'too_large' });
  });
  it('merges usage that arrives in parts', () => {
    const builder = make();
    builder.usage({ input: 5, cacheRead: 2 });
    builder.usage({ output: 3, input: 6 });
    expect(builder.partial.usage).toMatchObject({ input: 6, output: 3, cacheRead: 2, totalTokens: 11 });
  });
});
