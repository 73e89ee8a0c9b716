# SPDX-License-Identifier: GPL-3.0-or-later
# With SWITCHGEAR_UNITY (preset release) the files of a folder are compiled as one: more than half of the time went on
# what their headers instantiate, for each file anew. The other presets compile each file alone, so that each includes
# what it uses. Names in unnamed namespaces meet then: a file whose names are another's too stands after ALONE.
# Usage: sg_unity(TARGET FOLDER [ALONE FILE_WITHOUT_SUFFIX...])
option(SWITCHGEAR_UNITY "Compile the files of a folder as one" OFF)
function(sg_unity target folder)
    if(NOT SWITCHGEAR_UNITY)
        return()
    endif()
    cmake_parse_arguments(UNITY "" "" "ALONE" ${ARGN})
    list(JOIN UNITY_ALONE "|" alone)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/(${alone}|main)\\.cpp$")
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # It warns of types in unnamed namespaces of included files, for such a file would be a header.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()
