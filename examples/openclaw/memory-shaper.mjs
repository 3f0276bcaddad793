// The guard of memory-shaper for OpenClaw, which has no hooks that are commands: every tool call is put to
// `memory-shaper hook`. Add this file to plugins.load.paths; see docs/porting.md.
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const FOLDER = process.env.MEMORY_SHAPER_FOLDER ?? join(homedir(), "notes", "memory");

/** Put an event to the command; null where there is nothing to say. */
function judge(name, event, ctx) {
  const table = {
    hook_event_name: name,
    tool_name: event.toolName,
    tool_input: event.params,
    tool_use_id: event.toolCallId,
    session_id: ctx?.sessionId,
    cwd: process.cwd(),
  };
  return new Promise((resolve, reject) => {
    const command = spawn("memory-shaper", ["hook", "--memdir", FOLDER], { stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    command.on("error", reject);
    command.stdin.on("error", reject);
    command.stdout.on("data", (piece) => (said += piece));
    command.on("close", (code) => {
      if (code !== 0) reject(new Error(`memory-shaper hook ended with ${code}`));
      else resolve(said.trim() ? JSON.parse(said).hookSpecificOutput : null);
    });
    command.stdin.end(JSON.stringify(table));
  });
}

export default definePluginEntry({
  id: "memory-shaper",
  name: "memory-shaper",
  description: "Guards the index of the memory and its critical topics",
  register(api) {
    api.on("before_tool_call", async (event, ctx) => {
      const said = await judge("PreToolUse", event, ctx);
      if (said?.permissionDecision === "deny") {
        return { block: true, blockReason: said.permissionDecisionReason };
      }
      if (said?.permissionDecision === "ask") {
        const title = "Change of a critical memory";
        return { requireApproval: { title, description: said.permissionDecisionReason, severity: "warning" } };
      }
      return undefined;
    });
    // What has damaged the index is put back; OpenClaw lets nothing be added to a result.
    api.on("after_tool_call", async (event, ctx) => {
      await judge("PostToolUse", event, ctx);
    });
  },
});
