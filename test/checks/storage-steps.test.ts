import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { migrations } from "../../src/machine/storage/steps.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

it("no storage step was edited or removed: objects that have taken it would not start", () => {
  expect(migrations.map(({ id, sql }) => [id, hashOf(sql)])).toEqual([
    ["0000_ledger", "a2879db466bc50be"],
    ["0001_order_runs", "4d41ca1f71b10c6c"],
    ["0002_stop_edits", "b6bca45c80a2d435"],
    ["0003_remembered_edits", "51baf54ef220ef70"],
    ["0004_history_by_end", "cbfcb9c990fd1341"],
    ["0005_sku_changes", "97a0f31bb037fa9f"],
    ["0006_projection_and_outbox", "9c4a967d3359ca38"],
    ["0007_progress_by_owner", "e3b0c44298fc1c14"],
    ["0008_remembered_reports", "e223ca22597945a3"],
    ["0009_shift_parts", "fa6c3fb04dc5822c"],
    ["0010_told", "12f181e62334d673"],
    ["0011_fewer_rows", "20aeaaed151e9c8a"],
    ["0012_waiting_rows", "1c73a0b3bc739175"],
    ["0013_settings_in_parts", "a3df88b11b13317b"],
    ["0014_well_formed_ids", "e3b0c44298fc1c14"],
    ["0015_held_counts", "8aea2f11a56f4abe"],
    ["0016_outside_hours", "9209d4fac4f20876"],
  ]);
});
