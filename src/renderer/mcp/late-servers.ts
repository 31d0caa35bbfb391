import { loadLaterTexts } from '../../language/texts.ts';
import { latePart } from '../lazy/lazy-part.tsx';
import { WaitingPage } from '../lazy/waiting.tsx';

/** The servers and their texts, loaded when they are first opened. */
export const LateServers = latePart(async () => {
  const [{ Servers }] = await Promise.all([import('./servers.tsx'), loadLaterTexts()]);
  return Servers;
}, WaitingPage);
