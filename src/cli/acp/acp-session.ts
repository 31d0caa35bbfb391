import type { ContentBlock, StopReason } from '@agentclientprotocol/sdk';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { ApprovalsView } from '../../contract/approvals.ts';
import { filePieceBytes } from '../../contract/file-methods.ts';
import type { HostClient } from '../../contract/host-api.ts';
import type { AgentMark, ChatMessage, LiveDraft, RoomView } from '../../contract/model.ts';
import type { FeedEvent } from '../../contract/patch.ts';
import type { HostText } from '../../language/host-message.ts';
import { copy, shown } from '../copy.ts';
import { createHostSession, type HostSession } from '../host-call.ts';
import { CommandFailure, commandFailure } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { type EditorPort, logLine, remark } from './editor-port.ts';
import { EditorQuestions } from './editor-questions.ts';
import { FileChanges } from './file-changes.ts';
import { type PromptFile, readPrompt } from './prompt-content.ts';
import { createRoomStream, type RoomStream, replay } from './room-stream.ts';

// One session of an editor: a conversation of the operator with the agent. The host stores everything; a session
// holds only what the editor was told.

export interface EditorSessionDeps {
  readonly client: HostClient;
  readonly editor: EditorPort;
  readonly agent: { readonly id: string; readonly slug: string };
  readonly roomId: string;
  /** The connection to the host is lost. */
  onLost(): void;
}

/** Said with the first prompt: to the agent as part of the message, to the operator as a remark. */
export interface Preface {
  readonly toAgent: string;
  readonly toOperator: string;
}

interface End<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function newEnd<T>(): End<T> {
  let [resolve, reject]: [End<T>['resolve'], End<T>['reject']] = [() => undefined, () => undefined];
  const promise = new Promise<T>((resolved, rejected) => {
    [resolve, reject] = [resolved, rejected];
  });
  // It may fail before the caller waits for it.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

interface Turn {
  /** `null` while the message is being sent. */
  messageId: string | null;
  isCancelled: boolean;
  readonly end: End<StopReason>;
}

/** Stored messages that an editor is given when it loads a session. */
const mostReplayed = 1_000;

const isStop = (reason: HostText): boolean =>
  typeof reason !== 'string' && reason.key === 'turns.stoppedByYou';

export class EditorSession {
  readonly #deps: EditorSessionDeps;
  readonly #call: HostSession['call'];
  readonly #stream: RoomStream;
  readonly #questions: EditorQuestions;
  readonly #changes: FileChanges;
  readonly #leave: (() => void)[] = [];
  #view: RoomView | null = null;
  #turn: Turn | null = null;
  #isClosed = false;
  /** Messages whose turn is stopped when it starts. */
  readonly #cancelled = new Set<string>();
  #preface: Preface | null = null;
  /** Started for this session, and nothing was written in it yet. */
  #isUnused: boolean;

  constructor(deps: EditorSessionDeps, isNew: boolean) {
    const { agent, client, editor, roomId } = deps;
    this.#deps = deps;
    this.#call = createHostSession({ ...client, close: () => undefined }, true).call;
    this.#isUnused = isNew;
    this.#stream = createRoomStream(agent, () => this.#turn?.messageId === null);
    this.#changes = new FileChanges({ client, editor, agentId: agent.id });
    this.#questions = new EditorQuestions({
      client,
      editor,
      agentId: agent.id,
      roomId,
      callOf: (approvalId) => this.#steps().find((step) => step.approvalId === approvalId)?.callId ?? null,
    });
  }

  setPreface(preface: Preface): void {
    this.#preface = preface;
  }

  /** Resolves when the state of the conversation is known; what happens later is told to the editor. */
  async open(): Promise<void> {
    const opened = newEnd<void>();
    this.#leave.push(() => opened.reject(commandFailure('unavailable', 'cliTerminal.connectionLost')));
    this.#follow(`room:${this.#deps.roomId}`, (state) => {
      this.#seen(state as RoomView);
      opened.resolve();
    });
    this.#follow('approvals', (state) => this.#questions.waiting((state as ApprovalsView).waiting));
    await opened.promise;
  }

  /** Tells the editor the messages of the conversation, oldest first. */
  async replay(): Promise<void> {
    const { editor, roomId } = this.#deps;
    let messages: readonly ChatMessage[] = [];
    for (let hasMore = true; hasMore && messages.length < mostReplayed; ) {
      const before = messages[0] === undefined ? {} : { before: messages[0].id };
      const page = await this.#call('chat.history', { room: roomId, limit: 200, ...before });
      messages = [...page.messages, ...messages];
      hasMore = page.hasMore && page.messages.length > 0;
    }
    for (const update of replay(messages)) editor.update(update);
  }

  async prompt(blocks: readonly ContentBlock[]): Promise<StopReason> {
    if (this.#turn) throw commandFailure('conflict', 'cliAcp.turnRuns');
    const { text, files } = readPrompt(blocks);
    const turn: Turn = { messageId: null, isCancelled: false, end: newEnd() };
    this.#turn = turn;
    try {
      await this.#checkAgent();
      turn.messageId = await this.#send(text, files);
      this.#stream.know(turn.messageId);
      if (turn.isCancelled) this.#stop(turn);
      else this.#questions.open();
      if (this.#view) this.#seen(this.#view);
      return await turn.end.promise;
    } finally {
      this.#turn = null;
      this.#questions.close();
      await this.#changes.settled();
    }
  }

  /** Stops the turn of the prompt; one that has not started is stopped when it starts. */
  cancel(): void {
    if (!this.#turn) return;
    this.#turn.isCancelled = true;
    this.#questions.close();
    this.#stop(this.#turn);
  }

  /** Leaves a running turn alone. */
  async close(): Promise<void> {
    this.#end();
    if (this.#isUnused) await this.#call('chat.deleteConversation', { room: this.#deps.roomId });
  }

  #follow(topic: `room:${string}` | 'approvals', see: (state: unknown) => void): void {
    let state: unknown;
    const leave = this.#deps.client.subscribe(topic, (event: FeedEvent) => {
      if (this.#isClosed) return;
      if (event.type === 'end') return this.#lost();
      state = event.type === 'snapshot' ? event.state : applyPatch(state, event.ops);
      see(state);
    });
    this.#leave.push(leave);
  }

  #end(): void {
    this.#isClosed = true;
    this.#questions.close();
    for (const leave of this.#leave.splice(0)) leave();
  }

  #lost(): void {
    this.#end();
    this.#turn?.end.reject(commandFailure('unavailable', 'cliTerminal.connectionLost'));
    this.#deps.onLost();
  }

  async #checkAgent(): Promise<void> {
    const { id } = this.#deps.agent;
    const { life, displayName: name, error } = await this.#call('agents.get', { agent: id });
    if (life === 'running' || life === 'starting') return;
    if (error) throw new CommandFailure(error);
    const values = { name: visibleTerminalLine(name), id };
    throw commandFailure('unavailable', 'cliAcp.agentNotRunning', values, { help: 'cliAcp.resumeAgent' });
  }

  async #send(text: string, files: readonly PromptFile[]): Promise<string> {
    const { editor, roomId: to } = this.#deps;
    const uploads: string[] = [];
    for (const file of files) uploads.push(await this.#upload(file));
    // A command takes no further text.
    const preface = text.startsWith('/') ? null : this.#preface;
    const said = [text, preface?.toAgent ?? ''].filter((part) => part !== '').join('\n\n');
    const { messageId } = await this.#call('chat.send', {
      to,
      text: said,
      files: uploads,
      checkCommand: true,
    });
    if (preface !== null) this.#preface = null;
    if (preface !== null && preface.toOperator !== '') editor.update(remark(preface.toOperator));
    // Without a title of its own the conversation is named by its first message.
    if (this.#isUnused) await this.#call('chat.renameConversation', { room: to, title: '' });
    this.#isUnused = false;
    return messageId;
  }

  async #upload({ filename, mimeType, bytes }: PromptFile): Promise<string> {
    const { uploadId } = await this.#call('files.begin', { filename, mimeType, size: bytes.length });
    for (let offset = 0; offset < bytes.length; ) {
      const base64 = Buffer.from(bytes.subarray(offset, offset + filePieceBytes)).toString('base64');
      ({ received: offset } = await this.#call('files.piece', { uploadId, offset, base64 }));
    }
    return uploadId;
  }

  #seen(view: RoomView): void {
    this.#view = view;
    for (const update of this.#stream.see(view)) this.#deps.editor.update(update);
    this.#changes.see(this.#steps());
    this.#questions.look();
    this.#lookAtCancelled(view);
    this.#lookAtTurn(view);
  }

  #mark(message: ChatMessage): AgentMark | undefined {
    return message.marks.find(({ agentId }) => agentId === this.#deps.agent.id);
  }

  #lookAtCancelled({ messages }: RoomView): void {
    for (const message of messages) {
      const state = this.#cancelled.has(message.id) ? this.#mark(message)?.state : undefined;
      if (state === undefined || state === 'queued') continue;
      if (state === 'working' && this.#drafts().length === 0) continue;
      this.#cancelled.delete(message.id);
      if (state === 'working') this.#stopDrafts();
    }
  }

  #drafts(): readonly LiveDraft[] {
    const { id } = this.#deps.agent;
    return Object.values(this.#view?.drafts ?? {}).filter(({ agentId }) => agentId === id);
  }

  #steps(): LiveDraft['steps'] {
    return this.#drafts().flatMap(({ steps }) => steps);
  }

  /** Ends the prompt once the agent has dealt with its message and the answer has arrived. */
  #lookAtTurn({ messages }: RoomView): void {
    const turn = this.#turn;
    const message = messages.find(({ id }) => id === turn?.messageId);
    if (!turn || !message) return;
    if (message.delivery === 'failed') {
      const why = shown(message.deliveryError ?? '');
      turn.end.reject(commandFailure('unavailable', 'cliAcp.notSent', { why }));
      return;
    }
    const mark = this.#mark(message);
    if (!mark || mark.state === 'queued' || mark.state === 'working' || this.#drafts().length > 0) return;
    if (turn.isCancelled || isStop(mark.reason)) turn.end.resolve('cancelled');
    else if (mark.state === 'done') turn.end.resolve('end_turn');
    else void this.#tellSilence(turn, message.id, mark);
  }

  async #tellSilence(turn: Turn, message: string, mark: AgentMark): Promise<void> {
    const { agent, client, editor } = this.#deps;
    const why = await client.call('chat.why', { message });
    const found = why.ok ? why.value.agents.find(({ agentId }) => agentId === agent.id) : undefined;
    const values = {
      name: visibleTerminalLine(found?.name ?? agent.id),
      reason: visibleTerminalLine(found?.text ?? mark.reason),
    };
    if (mark.state === 'failed')
      return turn.end.reject(commandFailure('model_error', 'cliAcp.turnFailed', values));
    editor.update(remark(copy('cliAcp.noAnswer', values)));
    turn.end.resolve('end_turn');
  }

  #stop({ messageId, end }: Turn): void {
    if (messageId === null) return;
    if (this.#drafts().length > 0) {
      this.#stopDrafts();
      return;
    }
    this.#cancelled.add(messageId);
    end.resolve('cancelled');
  }

  #stopDrafts(): void {
    const { agent, client, editor } = this.#deps;
    for (const { turnId: turn } of this.#drafts()) {
      void client.call('agents.stop', { agent: agent.id, turn }).then((result) => {
        // A conflict means that the turn has just ended.
        if (!result.ok && result.error.code !== 'conflict') editor.log(logLine(result.error));
      });
    }
  }
}
