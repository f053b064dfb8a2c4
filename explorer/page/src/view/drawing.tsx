// Drawings of small graphs as SVG. dagre decides where nodes and edges are; the page draws them.

import { graphlib, layout } from "@dagrejs/dagre";
import { useMemo } from "preact/hooks";

export interface Node {
  readonly lines: readonly string[];
  /** Words that style the node: `current`, `end`, `cycle`, `passed`. */
  readonly kind: string;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly kind: string;
}

interface Props {
  nodes: readonly Node[];
  edges: readonly Edge[];
  /** What the drawing shows, for those who cannot see it. */
  label: string;
  /** Changes if the places of nodes must be found anew. */
  shape: string;
}

const LINE = 15;
const LETTER = 7.3;

export function Drawing({ nodes, edges, label, shape }: Props) {
  const placed = useMemo(() => placesOf(nodes, edges), [shape]);
  return (
    <div class="drawing" role="region" aria-label={label} tabIndex={0}>
      <svg
        role="img"
        aria-label={label}
        width={placed.width}
        height={placed.height}
        viewBox={`0 0 ${placed.width} ${placed.height}`}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
            <path d="M0 0 L8 4 L0 8 z" class="tip" />
          </marker>
        </defs>
        {edges.map((edge, number) => {
          const { points, x, y } = placed.edges[number]!;
          return (
            <g key={number} class={`edge ${edge.kind}`}>
              <path d={points} marker-end="url(#arrow)" />
              {edge.label !== "" && (
                <text x={x} y={y + 4}>
                  {edge.label}
                </text>
              )}
            </g>
          );
        })}
        {nodes.map((node, number) => {
          const { x, y, width, height } = placed.nodes[number]!;
          return (
            <g key={number} class={`node ${node.kind}`}>
              <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={6} />
              {node.lines.map((line, at) => (
                <text key={at} x={x} y={y - height / 2 + LINE * (at + 1)}>
                  {line}
                </text>
              ))}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface Places {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { x: number; y: number; width: number; height: number }[];
  readonly edges: readonly { points: string; x: number; y: number }[];
}

function placesOf(nodes: readonly Node[], edges: readonly Edge[]): Places {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 22, ranksep: 34, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  nodes.forEach((node, number) => {
    const longest = Math.max(...node.lines.map((line) => line.length));
    graph.setNode(String(number), { width: longest * LETTER + 16, height: node.lines.length * LINE + 10 });
  });
  edges.forEach((edge, number) => {
    const size = { width: edge.label.length * LETTER + 6, height: 16, labelpos: "c" };
    graph.setEdge(String(edge.from), String(edge.to), size, String(number));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: nodes.map((_, number) => graph.node(String(number)) as Places["nodes"][number]),
    edges: edges.map((edge, number) => {
      const found = graph.edge(String(edge.from), String(edge.to), String(number)) as {
        points: { x: number; y: number }[];
        x: number;
        y: number;
      };
      if (edge.from === edge.to) return loopAt(graph.node(String(edge.from)) as Places["nodes"][number]);
      return { points: lineOf(found.points), x: found.x, y: found.y };
    }),
  };
}

/** Return a loop at the right side of a node, for which dagre has left space. */
function loopAt({ x, y, width }: Places["nodes"][number]): Places["edges"][number] {
  const side = x + width / 2;
  return { points: `M${side} ${y - 8} C${side + 26} ${y - 22} ${side + 26} ${y + 22} ${side} ${y + 8}`, x: side + 26, y };
}

/** Return a line through some points as the path of an SVG, with round corners. */
function lineOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  const parts = [`M${first!.x} ${first!.y}`];
  rest.forEach((point, number) => {
    const next = rest[number + 1];
    if (next) parts.push(`Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`);
    else parts.push(`L${point.x} ${point.y}`);
  });
  return parts.join(" ");
}
