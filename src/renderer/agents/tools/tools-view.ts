import type { MethodInput, MethodOutput } from '../../../contract/methods.ts';

export type ToolsView = MethodOutput<'agents.tools'>;
export type ToolsChange = Omit<MethodInput<'agents.setTools'>, 'agent'>;

export interface ToolsPart {
  readonly view: ToolsView;
  /** Resolves to true if saved; the view is reloaded by then. */
  save(change: ToolsChange): Promise<boolean>;
}
