/**
 * A workflow as nodes and edges on a grid: rows follow time, columns hold parallel steps. The picture, the
 * Mermaid text and the live view of a run are drawn from it.
 */
import { printCondition } from './condition.ts';
import type { Outcome, Step, StepKind, WorkflowDefinition } from './definition.ts';
import { printRef } from './refs.ts';
import { childrenOf } from './step-kinds.ts';

export interface GraphNode {
  /** Stable path of the step; `start` and `end` are the two nodes without one. */
  readonly id: string;
  readonly kind: StepKind | 'start' | 'end';
  readonly label: string;
  /** Whether a person decides at this step. */
  readonly gate: boolean;
  /** Path of the enclosing loop or block; `null` at the top level. */
  readonly inside: string | null;
  readonly row: number;
  readonly column: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /**
   * next; branch: into a block; join: out of it; again: the next round; reject, timeout, fallback: the other
   * outcomes.
   */
  readonly kind: 'next' | 'branch' | 'join' | 'again' | 'reject' | 'timeout' | 'fallback';
  /** Condition, or the list that is looped over. */
  readonly label: string | null;
}

export interface WorkflowGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly rows: number;
  readonly columns: number;
}

interface Spot {
  readonly row: number;
  readonly column: number;
}

type Way = Pick<GraphEdge, 'kind'> & { readonly from: string; readonly label?: string | null };
/** End of a drawn list of steps: its open edges, and the first free row and column. */
interface Drawn {
  readonly ends: readonly Way[];
  readonly row: number;
  readonly column: number;
}

const branchKinds = { on_reject: 'reject', on_timeout: 'timeout', fallback: 'fallback' } as const;

class Drawing {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  #columns = 1;
  #rows = 1;

  node(node: GraphNode): void {
    this.nodes.push(node);
    this.#columns = Math.max(this.#columns, node.column + 1);
    this.#rows = Math.max(this.#rows, node.row + 1);
  }

  join(ways: readonly Way[], to: string, condition: string | null): void {
    for (const { from, kind, label } of ways)
      this.edges.push({ from, to, kind, label: condition ?? label ?? null });
  }

  steps(steps: readonly Step[], ways: readonly Way[], spot: Spot, inside: string | null): Drawn {
    let drawn: Drawn = { ends: ways, row: spot.row, column: spot.column + 1 };
    for (const step of steps) {
      const next = this.step(step, drawn.ends, { row: drawn.row, column: spot.column }, inside);
      drawn = { ...next, column: Math.max(drawn.column, next.column) };
    }
    return drawn;
  }

  step(step: Step, ways: readonly Way[], spot: Spot, inside: string | null): Drawn {
    const gate = step.approval !== null || step.kind === 'input';
    this.node({ id: step.path, kind: step.kind, label: step.id, gate, inside, ...spot });
    this.join(ways, step.path, step.when ? printCondition(step.when) : null);
    const below: Spot = { row: spot.row + 1, column: spot.column };
    if (step.kind === 'parallel')
      return this.#sideways(step, this.#branches(step.path, step.branches, below));
    if (step.kind === 'for_each') return this.#sideways(step, this.#loop(step, below));
    const straight: Drawn = {
      ends: [{ from: step.path, kind: 'next' }],
      row: below.row,
      column: spot.column + 1,
    };
    return this.#sideways(step, straight);
  }

  #branches(path: string, branches: readonly Step[], spot: Spot): Drawn {
    let { row, column } = { row: spot.row, column: spot.column };
    const ends: Way[] = [];
    for (const branch of branches) {
      const drawn = this.step(branch, [{ from: path, kind: 'branch' }], { row: spot.row, column }, path);
      ends.push(...drawn.ends.map((end) => ({ ...end, kind: 'join' as const })));
      row = Math.max(row, drawn.row);
      column = drawn.column;
    }
    return { ends, row, column };
  }

  #loop(step: Extract<Step, { kind: 'for_each' }>, spot: Spot): Drawn {
    const over = step.items.step === null ? `\${${step.items.arg}}` : printRef(step.items);
    const start: Way = { from: step.path, kind: 'branch', label: `each of ${over}` };
    const drawn = this.steps(step.steps, [start], spot, step.path);
    this.join(
      drawn.ends.map((end) => ({ ...end, kind: 'again' })),
      step.path,
      null,
    );
    return { ends: [{ from: step.path, kind: 'next' }], row: drawn.row, column: drawn.column };
  }

  /** Draws the reject, timeout and fallback branches, each in columns of its own. */
  #sideways(step: Step, main: Drawn): Drawn {
    const gate = step.kind === 'input' ? step.input : step.approval;
    const outcomes: Readonly<Record<string, Outcome | undefined>> = {
      on_reject: gate?.onReject,
      on_timeout: gate?.onTimeout,
    };
    let drawn = main;
    for (const { branch, steps } of childrenOf(step)) {
      if (branch !== 'on_reject' && branch !== 'on_timeout' && branch !== 'fallback') continue;
      const way: Way = { from: step.path, kind: branchKinds[branch] };
      const [first] = this.nodes.filter(({ id }) => id === step.path);
      const side = this.steps(steps, [way], { row: (first?.row ?? 0) + 1, column: drawn.column }, step.path);
      const goesOn = branch === 'fallback' || outcomes[branch]?.then === 'continue';
      drawn = {
        ends: goesOn
          ? [...drawn.ends, ...side.ends.map((end) => ({ ...end, kind: 'join' as const }))]
          : drawn.ends,
        row: Math.max(drawn.row, side.row),
        column: side.column,
      };
    }
    return drawn;
  }

  graph(): WorkflowGraph {
    return { nodes: this.nodes, edges: this.edges, rows: this.#rows, columns: this.#columns };
  }
}

export function graphOf(definition: WorkflowDefinition): WorkflowGraph {
  const drawing = new Drawing();
  const edge = { gate: false, inside: null, column: 0 } as const;
  drawing.node({ id: 'start', kind: 'start', label: definition.name ?? 'start', row: 0, ...edge });
  const drawn = drawing.steps(
    definition.steps,
    [{ from: 'start', kind: 'next' }],
    { row: 1, column: 0 },
    null,
  );
  drawing.node({ id: 'end', kind: 'end', label: 'end', row: drawn.row, ...edge });
  drawing.join(drawn.ends, 'end', null);
  return drawing.graph();
}
