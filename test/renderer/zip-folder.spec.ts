import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { agentsOf, zipOf } from '../../src/renderer/agents/moving/zip-folder.ts';
import { openSource, readSmall } from '../../src/services/bundle/import-source.ts';

let folder = '';
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-zip-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A browser's File has the path as a getter of its own. */
const named = (paths: readonly string[]): File[] =>
  paths.map((one) => {
    const file = new File([`text of ${one}`], path.basename(one));
    Object.defineProperty(file, 'webkitRelativePath', { value: one });
    return file;
  });

test('The folder of one agent, several agents or a whole home is mapped to the export layout', () => {
  const paths = (chosen: readonly string[]) => agentsOf(named(chosen)).map(({ path: at }) => at);
  expect(paths(['bot/agent.yml', 'bot/memory/a.md'])).toEqual([
    'agents/bot/agent.yml',
    'agents/bot/memory/a.md',
  ]);
  expect(paths(['mine/bot/agent.yml', 'mine/rex/agent.yml', 'mine/readme.txt'])).toEqual([
    'agents/bot/agent.yml',
    'agents/rex/agent.yml',
  ]);
  expect(paths(['.puffo-agent/agents/bot/agent.yml', '.puffo-agent/daemon.yml'])).toEqual([
    'agents/bot/agent.yml',
  ]);
  expect(paths(['other/deep/down/agent.yml', 'other/a.txt'])).toEqual([]);
});

test('The host can open the archive; content and non-ASCII names are unchanged', async () => {
  const files = agentsOf(named(['bot/agent.yml', 'bot/memory/größe-日本.md', 'bot/workspace/empty/x.bin']));
  const target = path.join(folder, 'a.zip');
  writeFileSync(target, Buffer.from(await (await zipOf(files)).arrayBuffer()));
  const source = await openSource(target, undefined);
  if (!source.ok) throw new Error(source.error.message);
  const [agent] = source.value.agents;
  expect(agent?.id).toBe('bot');
  expect(agent?.files.map(({ path: at }) => at)).toEqual([
    'agent.yml',
    'memory/größe-日本.md',
    'workspace/empty/x.bin',
  ]);
  expect(await readSmall(agent?.files ?? [], 'memory/größe-日本.md')).toBe(
    'text of bot/memory/größe-日本.md',
  );
  source.value.close();
});
