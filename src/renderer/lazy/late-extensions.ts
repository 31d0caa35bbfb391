/** MCP servers and skills with their texts, loaded when they are first opened. */
import { loadLaterTexts } from '../../language/texts.ts';
import { latePart } from './lazy-part.tsx';
import { WaitingPage } from './waiting.tsx';

export const LateServers = latePart(async () => {
  const [{ McpServerList }] = await Promise.all([import('../mcp/servers.tsx'), loadLaterTexts()]);
  return McpServerList;
}, WaitingPage);

export const LateSkills = latePart(async () => {
  const [{ SkillList }] = await Promise.all([import('../skills/skill-list.tsx'), loadLaterTexts()]);
  return SkillList;
}, WaitingPage);
