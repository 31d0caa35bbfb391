import { toVisibleLine } from '../../contract/visible-text.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { unifiedDiff } from '../../core/lib/unified-diff.ts';
import { toolDefinitionDiff, toolDefinitionText, toolPin } from '../../core/mcp/tool-pins.ts';
import type { Log } from '../../core/ports.ts';
import { previewBody } from '../../core/tools/output.ts';
import { say } from '../../language/say.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ChangedTool } from './live-server.ts';
import { launchText, type ServerSpec } from './server-specs.ts';

export interface ServerAsker {
  readonly id: string;
  readonly name: string;
}

export interface ServerQuestionsDeps {
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  readonly log: Log;
}

/** Called with the operator's answer; not called if the question ended without one. */
export type OnServerAnswer = (isAllowed: boolean) => void;

/** One open question per server and content; the answer takes effect when it is given. */
export interface ServerQuestions {
  /** Whether the server may start with this command, or be connected to at this address. */
  askStart(agent: ServerAsker, spec: ServerSpec, onAnswer: OnServerAnswer): void;
  /** Whether the changed definitions of its tools count from now on. */
  askTools(
    agent: ServerAsker,
    spec: ServerSpec,
    changed: readonly ChangedTool[],
    onAnswer: OnServerAnswer,
  ): void;
  /** Whether the operator signs in on this page; `onRefused` is called after a no. */
  askSignIn(
    agent: ServerAsker,
    signIn: { readonly key: string; readonly page: string },
    onRefused: () => void,
  ): void;
  /** The sign-in ended, whatever its outcome. */
  endSignIn(key: string): void;
  /** Ends the questions about a server, because they are decided or the server is gone. */
  withdraw(key: string): void;
  /** Open questions wait for the next start. */
  stop(): void;
}

const diffOf = (before: ChangedTool['before'], after: ChangedTool['after']): string =>
  before === null ? unifiedDiff('', toolDefinitionText(after)) : toolDefinitionDiff(before, after);

/** Difference of the definitions that wait, with all invisible characters made visible. */
export const changesText = (changed: readonly ChangedTool[]): string =>
  changed
    .map(({ name, before, after }) => [toVisibleLine(name), diffOf(before, after)].join('\n'))
    .join('\n\n');

export const changesDigest = (changed: readonly ChangedTool[]): string =>
  sha256Hex(changed.map(({ after }) => toolPin(after, sha256Hex)).join(' '));

function signInQuestion(
  agent: ServerAsker,
  { key, page }: { readonly key: string; readonly page: string },
): Question {
  const server = key.slice(key.indexOf('/') + 1);
  return {
    kind: 'question',
    agentId: agent.id,
    agentName: agent.name,
    subject: 'mcp_sign_in',
    key: `mcp-sign-in:${key}:${sha256Hex(page)}`,
    args: { server: key, page },
    title: say('mcpServers.wantsSignIn', { server }),
    preview: { kind: 'text', ...previewBody(toVisibleLine(page)) },
    risk: 'high',
    why: say('mcpServers.whySignIn'),
    where: say('approvals.ofServer', { server }),
    rule: say('mcpServers.thisRequest'),
    roomId: null,
    threadRootId: null,
    link: page,
    endsWithHost: true,
  };
}

export function createServerQuestions({ ask, log }: ServerQuestionsDeps): ServerQuestions {
  const open = new Map<string, { readonly about: string; readonly ended: AbortController }>();
  let isStopped = false;

  const begin = (about: string, question: Question, onAnswer: OnServerAnswer): void => {
    if (isStopped || open.has(question.key)) return;
    const ended = new AbortController();
    open.set(question.key, { about, ended });
    ask(question, ended.signal)
      .then((decision) => {
        if (ended.signal.aborted) return;
        if (decision.type === 'allow') onAnswer(true);
        else if (decision.by === 'operator') onAnswer(false);
      })
      .catch((error: unknown) => log.error('mcp_question_failed', { error }))
      .finally(() => open.delete(question.key));
  };

  const withdraw = (isMeant: (about: string, questionKey: string) => boolean): void => {
    for (const [questionKey, { about, ended }] of open) if (isMeant(about, questionKey)) ended.abort();
  };

  return {
    askStart(agent, spec, onAnswer) {
      const { name, key, hash } = spec;
      begin(
        key,
        {
          kind: 'question',
          agentId: agent.id,
          agentName: agent.name,
          subject: 'mcp_server',
          key: `mcp-start:${key}:${hash}`,
          args: { server: key, hash },
          title: say(spec.isLocal ? 'mcpServers.wantsToStart' : 'mcpServers.wantsToConnect', {
            server: name,
          }),
          preview: { kind: 'command', ...previewBody(launchText(spec)) },
          risk: 'high',
          why: say(spec.isLocal ? 'mcpServers.whyStart' : 'mcpServers.whyConnect'),
          where: say('approvals.ofServer', { server: name }),
          rule: say('mcpServers.startAlways'),
          roomId: null,
          threadRootId: null,
        },
        onAnswer,
      );
    },
    askTools(agent, { name, key }, changed, onAnswer) {
      const digest = changesDigest(changed);
      const questionKey = `mcp-tools:${key}:${digest}`;
      // A server that changes its tools again and again has one open question, about the newest change.
      withdraw((about, other) => about === key && other.startsWith('mcp-tools:') && other !== questionKey);
      begin(
        key,
        {
          kind: 'question',
          agentId: agent.id,
          agentName: agent.name,
          subject: 'mcp_tools',
          key: questionKey,
          args: { server: key, digest },
          title: say('mcpServers.wantsChangedTools', { server: name }),
          preview: { kind: 'diff', ...previewBody(changesText(changed)) },
          risk: 'high',
          why: say('mcpServers.whyTools'),
          where: say('approvals.ofServer', { server: name }),
          rule: say('mcpServers.toolsAlways'),
          roomId: null,
          threadRootId: null,
        },
        onAnswer,
      );
    },
    askSignIn(agent, signIn, onRefused) {
      begin(signIn.key, signInQuestion(agent, signIn), (isAllowed) => {
        if (!isAllowed) onRefused();
      });
    },
    endSignIn(key) {
      withdraw((about, question) => about === key && question.startsWith('mcp-sign-in:'));
    },
    withdraw(key) {
      withdraw((about) => about === key);
    },
    stop() {
      isStopped = true;
    },
  };
}
