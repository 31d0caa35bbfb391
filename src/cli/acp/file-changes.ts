import { isAbsolute, join } from 'node:path';
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { HostClient } from '../../contract/host-api.ts';
import type { ToolStep } from '../../contract/work.ts';
import { diffHunks } from './diff-hunks.ts';
import type { EditorPort } from './editor-port.ts';

// Tells the editor what each finished tool call changed in files, from its restore point.

export interface FileChangesDeps {
  readonly client: Pick<HostClient, 'call'>;
  readonly editor: Pick<EditorPort, 'update'>;
  readonly agentId: string;
}

export class FileChanges {
  readonly #deps: FileChangesDeps;
  readonly #told = new Map<string, Promise<void>>();

  constructor(deps: FileChangesDeps) {
    this.#deps = deps;
  }

  see(steps: readonly ToolStep[]): void {
    for (const { callId, restorePoint } of steps)
      if (restorePoint !== undefined && !this.#told.has(restorePoint))
        this.#told.set(restorePoint, this.#tell(callId, restorePoint));
  }

  /** Resolves when everything seen so far was told. */
  async settled(): Promise<void> {
    await Promise.all(this.#told.values());
  }

  async #tell(toolCallId: string, point: string): Promise<void> {
    const { client, editor, agentId } = this.#deps;
    const [shown, tools] = await Promise.all([
      client.call('undo.show', { point }),
      client.call('agents.tools', { agent: agentId }),
    ]);
    if (!shown.ok || !tools.ok) return;
    const workspace = tools.value.folders[0]?.path ?? '';
    const files = shown.value.files.map(({ path, diff }) => ({
      path: isAbsolute(path) ? path : join(workspace, path),
      diff,
    }));
    const content = files.flatMap(({ path, diff }) =>
      diffHunks(diff).map((hunk): ToolCallContent => ({ type: 'diff', path, ...hunk })),
    );
    if (content.length === 0) return;
    const locations = files.map(({ path }) => ({ path }));
    editor.update({ sessionUpdate: 'tool_call_update', toolCallId, content, locations });
  }
}
