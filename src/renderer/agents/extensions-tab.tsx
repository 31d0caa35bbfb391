import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { LateServers, LateSkills } from '../lazy/late-extensions.ts';
import { Segments } from '../parts/segments.tsx';

type Part = 'mcp' | 'skills';

/** MCP servers and skills of the agent, with those of all agents. */
export function ExtensionsTab({ agent }: { agent: string }) {
  const [part, setPart] = useState<Part>('mcp');
  return (
    <div className="stack">
      <Segments
        label={t('agents.extensions')}
        value={part}
        options={[
          ['mcp', t('settings.mcp')],
          ['skills', t('settings.skills')],
        ]}
        onChange={(next: Part) => setPart(next)}
      />
      {part === 'mcp' ? <LateServers agent={agent} /> : <LateSkills agent={agent} />}
    </div>
  );
}
