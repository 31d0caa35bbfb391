import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type AppError, messageOf } from '../../contract/errors.ts';
import type { HostText } from '../../language/host-message.ts';
import { visibleTerminalLine } from '../visible-text.ts';

export type EditorRequest = Omit<RequestPermissionRequest, 'sessionId'>;

/** The editor, as one session sees it. */
export interface EditorPort {
  update(update: SessionUpdate): void;
  /** Rejects when `signal` aborts, and withdraws the request. */
  ask(request: EditorRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** On standard error, which editors keep as their log. */
  log(text: string): void;
}

/** A remark of Kennel, apart from what the agent says. */
export const remark = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text },
});

export const logLine = (error: AppError | HostText): string =>
  visibleTerminalLine(typeof error === 'object' && 'code' in error ? messageOf(error) : error);
