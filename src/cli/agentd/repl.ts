import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../contract/errors.ts';
import type { Agentd, AgentdReport, AgentEvent, FileAgent, GateCall } from '../../library/agentd/start.ts';
import { copy, shown, shownError } from '../copy.ts';
import { printable, visibleExactLine, visibleText } from '../visible-text.ts';
import { completeLine, ReplLines } from './repl-lines.ts';

// The prompt of agents from a file: streams answers, asks before tools run, and prints the turns that changes start.

export interface ReplTerminal {
  readonly input: Readable;
  readonly output: Writable;
  /** Edits lines, and can ask. */
  readonly isTerminal: boolean;
  /** Newest first. */
  readonly history: readonly string[];
  readonly saveHistory: (lines: readonly string[]) => void;
}

const longestArguments = 300;

const oneLine = (value: unknown): string => {
  const text = visibleExactLine(JSON.stringify(value) ?? '');
  return text.length > longestArguments ? `${text.slice(0, longestArguments)}…` : text;
};

const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.map(({ text = '' }) => text).join('');

export class Repl {
  readonly #terminal: ReplTerminal;
  readonly #lines = new ReplLines();
  readonly #queue: string[] = [];
  #agentd: Agentd | null = null;
  #interface: Interface | null = null;
  #current: string | null = null;
  #turn: AbortController | null = null;
  #answer: ((line: string | null) => void) | null = null;
  /** Output that waits for the end of a streamed answer. */
  #held: string[] = [];
  #isAtLineStart = true;
  #isWorking = false;
  #isOver = false;

  constructor(terminal: ReplTerminal) {
    this.#terminal = terminal;
  }

  /** Resolves after `quit` or the end of the input, once the queued messages are answered. */
  async run(agentd: Agentd, signal: AbortSignal): Promise<void> {
    this.#agentd = agentd;
    const { input, output, isTerminal, history, saveHistory } = this.#terminal;
    const lines = createInterface({
      input,
      output,
      terminal: isTerminal,
      history: [...history],
      removeHistoryDuplicates: true,
      completer: (line: string) => completeLine(line, this.#names()) as [string[], string],
    });
    this.#interface = lines;
    lines.on('line', (line) => this.#onLine(line));
    lines.on('SIGINT', () => this.#onInterrupt());
    lines.on('history', (entries) => saveHistory(entries));
    const stop = (): void => {
      this.#isOver = true;
      this.#turn?.abort();
      lines.close();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const closed = new Promise<void>((resolve) =>
      lines.once('close', () => {
        this.#interface = null;
        resolve();
      }),
    );
    this.#prompt();
    await closed;
    signal.removeEventListener('abort', stop);
    this.#answer?.(null);
    await this.#idle;
  }

  #idle: Promise<void> = Promise.resolve();

  /** `null` without a terminal. */
  readonly ask = async (call: GateCall, signal: AbortSignal): Promise<boolean | null> => {
    const { isTerminal } = this.#terminal;
    if (!isTerminal || this.#isOver || this.#answer) return null;
    const { title, body, where } = call.assessment.preview;
    const what = `${visibleExactLine(title)} (${visibleExactLine(where)})`;
    this.#show(copy('cliAgentd.wants', { agent: call.agentId, what }));
    if (body !== '') this.#show(visibleText(body));
    const answered = await new Promise<string | null>((resolve) => {
      this.#answer = resolve;
      signal.addEventListener('abort', () => resolve(null), { once: true });
      this.#prompt();
    });
    this.#answer = null;
    return answered !== null && /^(?:y|yes|j|ja)$/i.test(answered.trim());
  };

  readonly report = (report: AgentdReport): void => {
    switch (report.kind) {
      case 'event':
        this.#background(report.agent, report.event);
        break;
      case 'changed':
        this.#later(copy('cliAgentd.changed', { agent: report.agent, uris: report.uris.join(', ') }));
        break;
      case 'serversFailed':
        for (const failed of report.failed)
          this.#later(copy('cliAgentd.serverFailed', { agent: report.agent, failed }));
        break;
      case 'watchFailed': {
        const { agent, uri, error } = report;
        if (error) this.#later(copy('cliAgentd.watchFailed', { agent, uri, why: messageOf(error) }));
        else this.#later(copy('cliAgentd.watchWorks', { agent, uri }));
        break;
      }
      case 'turnFailed': {
        const { agent, error, givenUp } = report;
        const key = givenUp ? 'cliAgentd.givenUp' : 'cliAgentd.triesAgain';
        this.#later(copy(key, { agent, why: messageOf(error) }));
        break;
      }
      case 'agents':
        if (this.#agentd) this.#later(copy('cliAgentd.reloaded', { agents: this.#names().join(', ') }));
        break;
      case 'fileBroken':
        this.#later(copy('cliAgentd.fileBroken', { why: shownError(report.error) }));
        break;
    }
  };

  #names(): string[] {
    return (this.#agentd?.agents() ?? []).map(({ agent }) => agent.name);
  }

  #agent(): FileAgent | null {
    const agents = this.#agentd?.agents() ?? [];
    return agents.find(({ agent }) => agent.name === this.#current) ?? agents[0] ?? null;
  }

  #onLine(line: string): void {
    this.#isAtLineStart = true;
    if (this.#answer) {
      this.#answer(line);
      return;
    }
    this.#queue.push(line);
    if (!this.#isWorking) this.#idle = this.#work();
  }

  #onInterrupt(): void {
    if (this.#turn) {
      this.#turn.abort();
      return;
    }
    const { line = '' } = this.#interface ?? {};
    const isEmpty = line === '' && !this.#lines.isOpen;
    this.#lines.drop();
    this.#interface?.write(null, { ctrl: true, name: 'u' });
    if (isEmpty) this.#show(copy('cliAgentd.howToQuit'));
    this.#prompt();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let line = this.#queue.shift(); line !== undefined && !this.#isOver; line = this.#queue.shift())
      await this.#handle(line);
    this.#isWorking = false;
    this.#prompt();
  }

  async #handle(line: string): Promise<void> {
    const input = this.#lines.add(line);
    switch (input.kind) {
      case 'message':
        return this.#say(input.text);
      case 'quit':
        this.#isOver = true;
        this.#interface?.close();
        return;
      case 'help':
        return this.#show(copy('cliAgentd.help'));
      case 'agents':
        return this.#show(this.#names().join('\n'));
      case 'tools':
        return this.#showTools();
      case 'agent':
        if (this.#names().includes(input.name)) this.#current = input.name;
        else this.#show(copy('cliAgentd.noAgent', { name: input.name, names: this.#names().join(', ') }));
        return;
      case 'more':
      case 'nothing':
    }
  }

  async #showTools(): Promise<void> {
    const tools = (await this.#agent()?.tools()) ?? [];
    const lines = tools.map(({ tool, rule }) => `${tool.name} (${copy(`cliAgentd.rule_${rule}`)})`);
    this.#show(lines.length === 0 ? copy('cliAgentd.noTools') : lines.join('\n'));
  }

  async #say(text: string): Promise<void> {
    const agent = this.#agent();
    if (!agent) return;
    const turn = new AbortController();
    this.#turn = turn;
    const said = await agent.say(text, turn.signal, (event) => this.#stream(event));
    this.#turn = null;
    this.#endLine();
    if (!said.ok) this.#show(turn.signal.aborted ? copy('cliAgentd.stopped') : shownError(said.error));
    for (const held of this.#held.splice(0)) this.#show(held);
  }

  #stream(event: AgentEvent): void {
    if (event.type === 'message_update' && event.assistantMessageEvent.type === 'text_delta')
      this.#write(printable(event.assistantMessageEvent.delta));
    else this.#showTool(event, (line) => this.#show(line));
  }

  #background(agent: string, event: AgentEvent): void {
    if (event.type === 'message_end' && event.message.role === 'assistant') {
      const text = textOf(event.message.content);
      if (text !== '') this.#later(copy('cliAgentd.says', { agent, text }));
    } else this.#showTool(event, (line) => this.#later(`${agent} ${line}`));
  }

  #showTool(event: AgentEvent, print: (line: string) => void): void {
    if (event.type === 'tool_execution_start') print(`[${event.toolName} ${oneLine(event.args)}]`);
    else if (event.type === 'tool_execution_end' && event.isError)
      print(`[${event.toolName}: ${oneLine(textOf(event.result.content))}]`);
  }

  #later(text: string): void {
    if (this.#turn) this.#held.push(text);
    else this.#show(text);
  }

  /** A text of its own lines, above the line that is being typed. */
  #show(text: string): void {
    const { output, isTerminal } = this.#terminal;
    this.#endLine();
    if (isTerminal) {
      cursorTo(output, 0);
      clearLine(output, 0);
    }
    output.write(`${printable(text)}\n`);
    if (!this.#isWorking || this.#answer) this.#prompt();
  }

  #write(text: string): void {
    this.#terminal.output.write(text);
    if (text !== '') this.#isAtLineStart = text.endsWith('\n');
  }

  #endLine(): void {
    if (!this.#isAtLineStart) this.#write('\n');
  }

  #prompt(): void {
    const lines = this.#interface;
    if (!lines || this.#isOver) return;
    const name = this.#agent()?.agent.name ?? '';
    const usual = this.#lines.isOpen ? '... ' : `${name}> `;
    lines.setPrompt(this.#answer ? copy('cliAgentd.allow') : usual);
    lines.prompt(true);
  }
}

/** The same as lines of JSON, for programs. */
export const reportAsJson = (report: AgentdReport): object | null => {
  if (report.kind !== 'event') {
    if (!('error' in report)) return report;
    const { error, ...rest } = report;
    return { ...rest, error: error === null ? null : { code: error.code, message: shown(messageOf(error)) } };
  }
  const { agent, event } = report;
  if (event.type === 'message_end')
    return { kind: 'message', agent, role: event.message.role, text: textOf(event.message.content) };
  if (event.type === 'tool_execution_start')
    return { kind: 'call', agent, tool: event.toolName, arguments: event.args };
  if (event.type === 'tool_execution_end')
    return { kind: 'result', agent, tool: event.toolName, isError: event.isError };
  return null;
};
