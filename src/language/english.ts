import { amounts } from './english/amounts.ts';
import { look } from './english/look.ts';
import { time } from './english/time.ts';

/** Every text of the window and the tray, by the part where it stands: ICU messages. */
export const english = { amounts, look, time } as const;
