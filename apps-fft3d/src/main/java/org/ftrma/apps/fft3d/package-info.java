/**
 * The NAS FT benchmark on windows. {@link org.ftrma.apps.fft3d.Fft3d} is the program;
 * {@link org.ftrma.apps.fft3d.Spectral3d} is its numerical core, which knows neither jobs nor windows.
 */
package org.ftrma.apps.fft3d;
