/** The attributes of a field that may have a fault. */
export function faultProps(id: string, fault: string | null) {
  return { id, "aria-invalid": fault !== null, "aria-describedby": fault === null ? undefined : `${id}-fault` };
}

/** What is wrong with a field, below it. */
export function FieldFault({ id, fault }: { id: string; fault: string | null }) {
  return (
    <p id={`${id}-fault`} class="field-fault">
      {fault}
    </p>
  );
}
