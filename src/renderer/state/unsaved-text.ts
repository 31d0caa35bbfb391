/** In a browser, asks before the tab closes while a workflow has unsaved text. The app keeps that text itself. */
import { useScreen } from './screen.ts';

export function warnAboutUnsavedText(): void {
  window.addEventListener('beforeunload', (event) => {
    if (Object.keys(useScreen.getState().unsavedWorkflows).length > 0) event.preventDefault();
  });
}
