import { useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Segments } from '../parts/segments.tsx';
import { MemoryTab } from './memory/memory-tab.tsx';
import { FilesTab } from './workspace/files-tab.tsx';

type Part = 'memory' | 'files';

/** Notes of the agent and files of its workspace. */
export function MemoryFilesTab({ agent }: { agent: AgentSummary }) {
  const [part, setPart] = useState<Part>('memory');
  return (
    <div className="stack">
      <Segments
        label={t('agents.memoryFiles')}
        value={part}
        options={[
          ['memory', t('agents.memory')],
          ['files', t('agents.files')],
        ]}
        onChange={(next: Part) => setPart(next)}
      />
      {part === 'memory' ? <MemoryTab agent={agent} /> : <FilesTab agent={agent} />}
    </div>
  );
}
