// Runs the official conformance suite of MCP, which npx downloads; see test/conformance/mcp/run.ts.
import { main } from '../test/conformance/mcp/run.ts';

try {
  process.exitCode = await main(process.argv.slice(2), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
