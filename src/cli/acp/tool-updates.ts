import type { ToolCall, ToolCallContent, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type { ToolStep } from '../../contract/work.ts';
import { visibleTerminalLine, visibleText } from '../visible-text.ts';

// Tool steps of a turn as tool calls of an editor.

const kinds: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  list_dir: 'read',
  search_files: 'search',
  write_file: 'edit',
  edit_file: 'edit',
  shell: 'execute',
  bash_exec: 'execute',
  web_fetch: 'fetch',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
};

export const toolKind = (tool: string): ToolKind => kinds[tool] ?? 'other';

const statuses = {
  running: 'in_progress',
  waiting: 'pending',
  done: 'completed',
  failed: 'failed',
  denied: 'failed',
  unknown: 'failed',
} as const satisfies Record<ToolStep['state'], ToolCall['status']>;

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
});

const contentOf = ({ detail }: ToolStep): ToolCallContent[] =>
  detail === '' ? [] : [textContent(visibleText(detail))];

export const toolCall = (step: ToolStep): ToolCall => ({
  toolCallId: step.callId,
  title: visibleTerminalLine(step.title),
  kind: toolKind(step.tool),
  status: statuses[step.state],
  content: contentOf(step),
});

export const toolCallUpdate = (step: ToolStep): ToolCallUpdate => ({
  toolCallId: step.callId,
  title: visibleTerminalLine(step.title),
  status: statuses[step.state],
  content: contentOf(step),
});
