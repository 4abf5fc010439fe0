/**
 * For what no browser checks, such as a list of which one must be chosen: once the form says what is missing, the first place
 * that does comes into view, and the focus goes to what can be done there.
 */
export function showFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const problem = form.querySelector(".problem");
    if (problem === null) return;
    const folded = problem.closest("details");
    if (folded !== null) folded.open = true;
    const around = problem.closest("fieldset, details, .field") ?? form;
    const target = around.querySelector<HTMLElement>("input:not([type=search]), select, button, a") ?? form;
    target.focus({ preventScroll: true });
    problem.scrollIntoView({ block: "center" });
  });
}
