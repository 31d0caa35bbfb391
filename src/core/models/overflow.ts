/**
 * Detects from a server's error that a conversation does not fit the model's window, so that it is compacted
 * instead of sent again. Each pattern has an example; rate limit errors never match.
 */

export interface OverflowPattern {
  readonly from: string;
  readonly pattern: RegExp;
  readonly example: string;
}

export const overflowPatterns: readonly OverflowPattern[] = [
  {
    from: 'Anthropic',
    pattern: /prompt is too long/i,
    example: 'prompt is too long: 213462 tokens > 200000 maximum',
  },
  {
    from: 'Anthropic',
    pattern: /exceeds? (the )?context (limit|window)/i,
    example: 'input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000',
  },
  {
    from: 'Anthropic',
    pattern: /request_too_large|request exceeds the maximum (allowed )?(number of bytes|size)/i,
    example: '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
  },
  {
    from: 'OpenAI chat, vLLM',
    pattern: /maximum context length/i,
    example:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
  },
  {
    from: 'OpenAI responses',
    pattern: /context_length_exceeded|exceeds the context window/i,
    example: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  {
    from: 'Google',
    pattern: /input token count.{0,60}exceeds the maximum/i,
    example: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
  },
  {
    from: 'llama.cpp',
    pattern: /exceeds? the available context size|exceed_context_size/i,
    example: 'the request exceeds the available context size (8192 tokens), try increasing it',
  },
  {
    from: 'LM Studio',
    pattern: /greater than the context length|context (length|overflow).{0,40}(reached|exceeded|overflow)/i,
    example: 'The number of tokens to keep from the initial prompt is greater than the context length.',
  },
  {
    from: 'Ollama',
    pattern: /prompt (is )?too long; exceeded (max )?context length|input length exceeds/i,
    example: 'prompt too long; exceeded max context length by 812 tokens',
  },
  {
    from: 'OpenRouter',
    pattern: /maximum context length|context length is only/i,
    example:
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 40133 tokens.",
  },
  {
    from: 'Mistral',
    pattern: /too large for model with \d+ maximum context/i,
    example: 'Prompt contains 40021 tokens, too large for model with 32768 maximum context length',
  },
  {
    from: 'Groq',
    pattern: /reduce the length of the messages/i,
    example: 'Please reduce the length of the messages or completion.',
  },
  {
    from: 'xAI',
    pattern: /maximum prompt length is \d+/i,
    example: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  },
  {
    from: 'Bedrock',
    pattern: /input is too long for requested model/i,
    example: 'ValidationException: Input is too long for requested model.',
  },
  {
    from: 'Cohere',
    pattern: /too many tokens: (size limit|total number)/i,
    example: 'too many tokens: size limit exceeded by 1201 tokens',
  },
  {
    from: 'Copilot',
    pattern: /model_max_prompt_tokens_exceeded|prompt token count of \d+ exceeds/i,
    example: 'prompt token count of 130011 exceeds the limit of 128000',
  },
  {
    from: 'Moonshot',
    pattern: /exceeded model token limit/i,
    example: 'Invalid request: Your request exceeded model token limit: 131072',
  },
  {
    from: 'MiniMax',
    pattern: /context window exceeds limit/i,
    example: 'invalid params, context window exceeds limit (2013)',
  },
];

const throttled = /rate.?limit|too many requests|tokens per (minute|min|hour|day)|quota|throttl/i;

/** `status`: `null` for an error in the middle of a stream. */
export function isOverflow(status: number | null, text: string): boolean {
  if (status === 429 || (status !== null && status >= 500 && status !== 500)) return false;
  if (throttled.test(text)) return false;
  return overflowPatterns.some(({ pattern }) => pattern.test(text));
}

/**
 * Detects a false success: the server silently truncated the conversation, or had no tokens left for the
 * answer. `window`: tokens of the model, `null` if unknown.
 */
export function isSilentOverflow(
  reply: {
    readonly stopReason: string;
    readonly usage: { readonly input: number; readonly output: number; readonly cacheRead: number };
  },
  window: number | null,
): boolean {
  if (window === null) return false;
  const read = reply.usage.input + reply.usage.cacheRead;
  if (reply.stopReason === 'stop' || reply.stopReason === 'toolUse') return read > window;
  return reply.stopReason === 'length' && reply.usage.output === 0 && read >= window * 0.99;
}
