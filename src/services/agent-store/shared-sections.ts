/** Keeps equal sections of agents' settings once: most agents of a host differ only in names and identity. */
import type { AgentConfig } from '../../core/agents/agent-config.ts';

/** Beyond this number of different sections, sharing starts anew. */
const mostKnown = 1_000;

export class SharedSections {
  readonly #known = new Map<string, unknown>();

  /** Equal settings in new strings: a part of a text that was read would keep the whole text in memory. */
  share(config: AgentConfig): AgentConfig {
    const copy: AgentConfig = JSON.parse(JSON.stringify(config));
    return {
      ...copy,
      runtime: this.#shared(copy.runtime),
      triggers: this.#shared(copy.triggers),
      tools: this.#shared(copy.tools),
      bash: this.#shared(copy.bash),
      shell: this.#shared(copy.shell),
      policy: this.#shared(copy.policy),
      budget: this.#shared(copy.budget),
    };
  }

  #shared<T>(section: T): T {
    const text = JSON.stringify(section);
    const known = this.#known.get(text);
    if (known !== undefined) return known as T;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(text, section);
    return section;
  }
}
