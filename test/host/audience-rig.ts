/** A host whose agent has a model that obeys every message, and a stranger on the same relay. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../src/contract/approvals.ts';
import { reply } from '../conformance/models/adapter-under-test.ts';
import { type Asked, type ModelServer, startModelServer } from '../conformance/models/model-server.ts';
import { openAiCompletionsAdapter as adapter } from '../conformance/models/openai-completions-wire.ts';
import { createRig, type Rig, type TestAccount } from '../fakes/puffo-rig.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

export interface AudienceWorld {
  kennel: TestHost;
  readonly rig: Rig;
  readonly server: ModelServer;
  readonly home: string;
  readonly ada: string;
  readonly bot: string;
  /**
   * Creates a person that is online. The operator accepts the contact, so that agents answer at once, unless
   * it is `unknown`.
   */
  person(name: string, contact?: 'accepted' | 'unknown'): Promise<TestAccount>;
  /** Writes a file into the agent's workspace. */
  writeFile(name: string, text: string): void;
  writeNote(name: string, text: string): void;
  waiting(): Promise<readonly Approval[]>;
  question(fits?: (approval: Approval) => boolean): Promise<Approval>;
  decide(approval: Approval, answer: ApprovalAnswer): Promise<unknown>;
  /** Model requests that contain `words`, oldest first. */
  askedWith(words: string): readonly Asked[];
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface WireMessage {
  readonly role: string;
  readonly content: unknown;
}

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { readonly text?: string }) => part.text ?? '').join('')
      : '';

let calls = 0;

/**
 * Runs the call `NAME {…}` of the newest message, and returns its result verbatim as the answer; echoes any
 * other message.
 */
function obey({ body }: Asked) {
  calls += 1;
  const id = { id: `resp_${calls}` };
  const messages = (body.messages ?? []) as readonly WireMessage[];
  const last = messages.at(-1);
  const said = textIn(last?.content);
  const say = (text: string) => ({
    frames: adapter.wire(reply([{ type: 'text', pieces: [text] }], id)),
  });
  const call = (name: string, args: object) => ({
    frames: adapter.wire(
      reply([{ type: 'call', id: `call_${calls}`, name, pieces: [JSON.stringify(args)] }], id),
    ),
  });
  const isTask = JSON.stringify(body.tools ?? []).includes('"finish"');
  if (last?.role === 'tool' && isTask && !said.includes('task is done'))
    return call('finish', { result: said });
  if (last?.role === 'tool') return say(`Found: ${said}`);
  const wanted = /call ([a-z_]+) (\{.*\})/.exec(said);
  if (!wanted) return say(`You said: ${said.split('- message: ').at(-1) ?? ''}`);
  return call(wanted[1] ?? '', JSON.parse(wanted[2] ?? '{}') as object);
}

export const order = (tool: string, args: object): string => `call ${tool} ${JSON.stringify(args)}`;

const env = { KENNEL_PASSPHRASE: 'correct horse' };

export async function audienceWorld(): Promise<AudienceWorld> {
  const folder = newHome();
  const server = await startModelServer();
  server.answerBy(obey);
  const rig = await createRig();
  let kennel = await startHost(folder.home, { env });
  const inviteCode = rig.relay.createInvite();
  const ada = (await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' }))
    .slug;
  const { agent } = await kennel.call('agents.create', {
    id: 'bot',
    provider: adapter.provider,
    model: adapter.model,
    baseUrl: `${server.origin}${adapter.basePath}`,
    apiKey: 'sk-test',
  });
  const online = (): Promise<unknown> =>
    until(
      'the bot online',
      async () => (await kennel.call('agents.get', { agent: 'bot' })).connection === 'online',
    );
  await online();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const ofBot = (...parts: readonly string[]): string => join(folder.home, 'agents', 'bot', ...parts);
  const waiting: AudienceWorld['waiting'] = async () => (await kennel.call('approvals.list', {})).approvals;
  return {
    rig,
    server,
    home: folder.home,
    ada,
    bot: agent.slug ?? '',
    get kennel() {
      return kennel;
    },
    async person(name, contact = 'accepted') {
      const opened = rig.open(await rig.person(name), { watchRooms: true });
      await opened.online();
      if (contact === 'accepted') await kennel.call('contacts.accept', { slug: opened.identity.slug });
      return opened;
    },
    writeFile: (name, text) => put(ofBot('workspace', name), text),
    writeNote: (name, text) => put(ofBot('memory', `${name}.md`), text),
    waiting,
    question: (fits = () => true) => until('a question', async () => (await waiting()).find(fits)),
    decide: ({ id, digest }, answer) =>
      kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' }),
    askedWith: (words) => server.asked.filter(({ body }) => JSON.stringify(body).includes(words)),
    async restart() {
      await kennel.stop();
      kennel = await startHost(folder.home, { env });
      await online();
    },
    async stop() {
      await kennel.stop();
      await server.close();
      await rig.stop();
      folder.remove();
    },
  };
}

/** Texts that `by` received from `from`. */
export const heardFrom = (by: TestAccount, from: string): readonly string[] =>
  by.accepted.filter(({ senderSlug }) => senderSlug === from).map(({ content }) => String(content));

export { until };
